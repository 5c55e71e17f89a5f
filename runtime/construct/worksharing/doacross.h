// SPDX-License-Identifier: Apache-2.0
// Cross-iteration dependences of a loop nest: ordered(n) with doacross source and sink (section
// 15.9.6). A vector of numbers, the outermost loop's first, names an iteration. Sources post their
// own vectors; sinks wait for those of other iterations.
//
// Iterations that one thread executes in order share a lane. With a static schedule the lane is a
// thread's, otherwise a chunk's. A lane holds the latest vector posted there, so a sink is
// satisfied as soon as its lane holds its vector or a later one. Each vector is kept as one number,
// in mixed radix, plus one (0: nothing posted yet). A nest with more than 2^64 iterations keeps
// vectors as they are, under a lock.
//
//   post   stores the lane (release), then wakes the threads that wait on the lane for this vector
//          or an earlier one (Dekker with wait_on, see construct/wait_address.h)
//   wait   reads the lane (acquire)
#pragma once

#include <cstddef>

#include "construct/worksharing/loop.h"

namespace bobbin {

// One block: this, the strides, the lanes.
struct Doacross {
  unsigned dimensions = 0;
  bool flat = true;        // lanes are numbers
  uint64_t lane_unit = 0;  // outermost iterations that share a lane; 0: a thread's share one
  size_t lane_bytes = 0;
  uint64_t* strides = nullptr;  // flat: weight of each dimension
  char* lanes = nullptr;

  Atomic<uint64_t>& flat_lane(uint64_t number) {
    return *reinterpret_cast<Atomic<uint64_t>*>(lanes + number * lane_bytes);
  }
};

// An ordered loop with doacross dependences. It runs from 0 to counts[0]. `counts` has the number
// of iterations of each of the nest's loops.
void enter_doacross_loop(Thread& thread, unsigned dimensions, const uint64_t* counts,
                         const LoopSchedule& schedule, const ShareExtras& extras);

// Called by the first thread of the loop. Null if nothing can wait: a team of one, or no
// iterations.
Doacross* make_doacross(const Team& team, const LoopPlan& plan, unsigned dimensions,
                        const uint64_t* counts);

void doacross_post(Thread& thread, const uint64_t* vector);
void doacross_wait(Thread& thread, const uint64_t* vector);

// How many numbers the vectors of the current loop have; 0: nothing needs to be posted.
inline unsigned doacross_dimensions(const Thread& thread) {
  const WorkShare* share = thread.member->position.current;
  return share != nullptr && share->doacross != nullptr ? share->doacross->dimensions : 0;
}

}  // namespace bobbin
