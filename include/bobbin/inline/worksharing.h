/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast paths of `single` and of static loops, for gomp.c and kmp.c: what needs only the size of
 * the team and the thread's number in it.
 */
#pragma once

#include <stdint.h>

#include "layout.h"

/* Is it the only thread of its team? Then each `single` region is its. */
static inline __attribute__((always_inline)) int bobbin_alone_(
    const struct bobbin_thread_v1* self) {
  return self && *self->member->team_size == 1;
}

/*
 * The bounds of a thread's part of a loop, as the runtime gives them to LLVM's compilers: a static
 * schedule without chunks, and steps of 1. It is divide() of runtime/abi/kmp/loops/static_bounds.h.
 * bobbin_bounds_SUFFIX_() changes `lower`, `upper` and `stride` in place. Returns whether the part
 * has the last iteration; -1: nothing has been done, because the loop is empty or has as many
 * iterations as its type has values.
 */
#define BOBBIN_BOUNDS_(suffix, type, unsigned_type, step_type)                            \
  static inline __attribute__((always_inline)) int bobbin_bounds_##suffix##_(             \
      const struct bobbin_thread_v1* self, type* lower, type* upper, step_type* stride) { \
    const unsigned_type first = (unsigned_type) * lower;                                  \
    const unsigned_type last = (unsigned_type) * upper;                                   \
    const unsigned_type count = last - first + 1;                                         \
    if (!self || *lower > *upper || count == 0) return -1;                                \
    const unsigned_type size = (unsigned_type) * self->member->team_size;                 \
    if (size == 1) {                                                                      \
      *stride = (step_type)count;                                                         \
      return 1;                                                                           \
    }                                                                                     \
    const unsigned_type num = (unsigned_type)self->member->thread_num;                    \
    const unsigned_type share = count / size;                                             \
    const unsigned_type larger = count % size;                                            \
    const unsigned_type mine = share + (num < larger ? 1 : 0);                            \
    const unsigned_type before = num * share + (num < larger ? num : larger);             \
    if (mine == 0) {                                                                      \
      *lower = (type)(last + 1);                                                          \
      *stride = 1;                                                                        \
      return 0;                                                                           \
    }                                                                                     \
    *lower = (type)(first + before);                                                      \
    *upper = (type)(first + before + mine - 1);                                           \
    *stride = (step_type)(count - before);                                                \
    return before + mine == count;                                                        \
  }

/* NOLINTNEXTLINE(bugprone-macro-parentheses): the arguments are types. */
BOBBIN_BOUNDS_(4, int32_t, uint32_t, int32_t)
BOBBIN_BOUNDS_(4u, uint32_t, uint32_t, int32_t)
BOBBIN_BOUNDS_(8, int64_t, uint64_t, int64_t)
BOBBIN_BOUNDS_(8u, uint64_t, uint64_t, int64_t)
