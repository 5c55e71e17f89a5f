// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sched/forecasts/deadline.h"

namespace bobbin {

// What is known about a root that may count (sched/roots/sharing_roots.h); written by its own
// kernel thread.
struct SharingRoot {
  Deadline counts;      // read by the others
  uint64_t step = 0;    // the time of the last step, in ticks; 0: none
  Deadline fresh;       // until when the next two hold
  uint32_t change = 0;  // `changes` at that time, see sharing_roots.cpp
  unsigned others = 0;
  unsigned told = 0;  // how many threads its regions get; 0: it has not asked
};

}  // namespace bobbin
