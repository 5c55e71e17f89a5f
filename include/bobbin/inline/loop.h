/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast path of a dynamic loop, for gomp.c and kmp.c: the next chunk of those that the thread
 * has drawn. It is next_of_batch() of runtime/construct/worksharing/loop_batches.h.
 */
#pragma once

#include <stdint.h>

#include "layout.h"

/* C. NOLINTBEGIN(modernize-use-nullptr) */

/* The thread's batch, if the next chunk of it is neither the first nor the last; else NULL. */
static inline __attribute__((always_inline)) struct bobbin_batch_v1* bobbin_batch_(
    const struct bobbin_thread_v1* self) {
  if (__builtin_expect(!self, 0)) return 0;
  struct bobbin_batch_v1* batch = self->member->batch;
  return batch->left > 1 ? batch : 0;
}

/* Takes that chunk. Returns where it begins; it ends before the new `begin` of the batch. */
static inline __attribute__((always_inline)) uint64_t
bobbin_take_chunk_(struct bobbin_batch_v1* batch) {
  const uint64_t begin = batch->begin;
  batch->left--;
  batch->begin = begin + batch->stride;
  return begin;
}

/* NOLINTEND(modernize-use-nullptr) */
