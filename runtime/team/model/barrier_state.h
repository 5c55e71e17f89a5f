// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "sched/queues/bitset.h"
#include "team/model/arrival_tree.h"

namespace bobbin {

// The team barrier: a counter of arrivals and a generation, each on a cache line of its own. In
// large teams the threads come to the counter by a tree, and those for whom another one comes wait
// like the others. The opening is one write, which all read side by side. A
// thread that finds nothing else to do, and has waited longer than a spin is worth, sets its bit in
// `asleep`, checks the generation once more and suspends. The releaser increments the generation,
// then resumes exactly the threads whose bits are set (Dekker, by fences on both sides). Explicit
// tasks of the region run while threads wait. The barrier opens when all have arrived and no task
// is left (section 15.3).
struct Barrier {
  alignas(kCacheLine) Atomic<uint32_t> arrived{0};
  alignas(kCacheLine) Atomic<uint32_t> generation{0};
  alignas(kCacheLine) BitsetView asleep;  // also the threads to wake when tasks appear
  ArrivalTree tree;                       // constant
};

}  // namespace bobbin
