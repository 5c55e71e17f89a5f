// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "construct/worksharing/iteration_space.h"
#include "platform/memory/blocks.h"

// Static schedules: the thread's number alone decides which iterations it gets (section 11.5.3).
// Two loops with the same number of iterations and chunk size give the same iterations to the same
// threads.
namespace bobbin {

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
