/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast path of a critical section of LLVM's compilers, for kmp.c: nobody else is in it, or
 * waits for it. The lock is Lock of runtime/construct/locks/lock.h.
 */
#pragma once

#include <stdint.h>

#include "layout.h"

/* C. NOLINTBEGIN(modernize-use-nullptr) */

/* The compiler's object for the section. It is eight numbers, zero at first. */
static inline __attribute__((always_inline)) uint32_t* bobbin_lock_of_section_(int32_t* numbers) {
  const uintptr_t aligned = ((uintptr_t)numbers + 7) & ~(uintptr_t)7;
  struct bobbin_section_v1* section = (struct bobbin_section_v1*)aligned;
  return __atomic_load_n(&section->lock, __ATOMIC_RELAXED);
}

/* False: nothing has been done. */
static inline __attribute__((always_inline)) int bobbin_enter_critical_(
    const struct bobbin_thread_v1* self, int32_t* numbers) {
  uint32_t* lock = self ? bobbin_lock_of_section_(numbers) : 0;
  uint32_t expected = BOBBIN_LOCK_FREE_V1;
  return lock && __atomic_compare_exchange_n(lock, &expected, BOBBIN_LOCK_HELD_V1, 0,
                                             __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* False: nothing has been done. */
static inline __attribute__((always_inline)) int bobbin_leave_critical_(
    const struct bobbin_thread_v1* self, int32_t* numbers) {
  uint32_t* lock = self ? bobbin_lock_of_section_(numbers) : 0;
  uint32_t expected = BOBBIN_LOCK_HELD_V1;
  return lock && __atomic_compare_exchange_n(lock, &expected, BOBBIN_LOCK_FREE_V1, 0,
                                             __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

/* NOLINTEND(modernize-use-nullptr) */
