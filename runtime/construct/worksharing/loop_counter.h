// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "construct/worksharing/iteration_space.h"
#include "platform/atomic.h"

// Schedules where all threads draw from one counter. Each thread gets iterations after those that
// it had (monotonic), and no thread gets a later iteration before all earlier ones are taken.
//
// Relaxed read-modify-writes on the counter are enough: the plan was published with the region, and
// only ordered regions impose an order on iterations.
namespace bobbin {

// dynamic: `next` is the number of the next chunk. It runs past the last one by at most one draw
// for each thread, because a thread that has seen it there does not draw again.
inline bool next_counted(const LoopPlan& plan, Atomic<uint64_t>& next, IterationRange& range) {
  uint64_t chunk = next.load(relaxed);
  if (chunk >= plan.chunks) return false;
  if (plan.chunks >> 63 == 0) [[likely]] {
    chunk = next.fetch_add(1, relaxed);
    if (chunk >= plan.chunks) return false;
  } else {
    // There are so many chunks that one draw too many could wrap around to 0.
    while (!next.compare_exchange_weak(chunk, chunk + 1, relaxed)) {
      if (chunk >= plan.chunks) return false;
    }
  }
  range = chunk_iterations(plan, chunk);
  return true;
}

// guided: `next` is the number of the next iteration; a thread takes its share of what is left, but
// not less than a chunk (Polychronopoulos and Kuck, 1987).
inline bool next_guided(const LoopPlan& plan, Atomic<uint64_t>& next, unsigned size,
                        IterationRange& range) {
  uint64_t first = next.load(relaxed);
  uint64_t last;
  do {
    if (first >= plan.count) return false;
    uint64_t rest = plan.count - first;
    uint64_t share = rest / size + (rest % size != 0 ? 1 : 0);
    if (plan.unit != 1) [[unlikely]]
      share = next_multiple(share, plan.unit);
    if (share < plan.chunk) share = plan.chunk;
    last = share < rest ? first + share : plan.count;
  } while (!next.compare_exchange_weak(first, last, relaxed));
  range = {first, last};
  return true;
}

}  // namespace bobbin
