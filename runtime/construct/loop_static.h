// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "construct/iteration_space.h"

// Static schedules: who gets what follows from the thread's number alone (section 11.5.3). Two
// loops with the same number of iterations and chunk size give the same iterations to the same
// threads.
namespace bobbin {

// The contiguous part of `count` items for member `num` of `size`: sizes differ by one at most, the
// larger ones come first.
inline IterationRange block_of(uint64_t count, unsigned size, unsigned num) {
  uint64_t share = count / size;
  uint64_t larger = count % size;
  uint64_t first = num * share + (num < larger ? num : larger);
  return {first, first + share + (num < larger ? 1 : 0)};
}

// Whose part of the iterations is this one in?
inline unsigned block_owner(uint64_t count, unsigned size, uint64_t iteration) {
  uint64_t share = count / size;
  uint64_t larger = count % size;
  uint64_t boundary = larger * (share + 1);
  if (iteration < boundary) return static_cast<unsigned>(iteration / (share + 1));
  return static_cast<unsigned>(larger + (iteration - boundary) / share);
}

inline bool next_block(const LoopPlan& plan, WorkSharePosition& position, unsigned size,
                       unsigned num, IterationRange& range) {
  if (position.begun) return false;
  position.begun = true;
  range = block_of(plan.count, size, num);
  return range.first != range.last;
}

inline bool next_cyclic(const LoopPlan& plan, WorkSharePosition& position, unsigned size,
                        unsigned num, IterationRange& range) {
  uint64_t chunk = position.begun ? position.next_chunk : num;
  position.begun = true;
  if (chunk >= plan.chunks) return false;
  position.next_chunk = plan.chunks - chunk > size ? chunk + size : plan.chunks;
  range = chunk_iterations(plan, chunk);
  return true;
}

}  // namespace bobbin
