// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sched/deadline.h"

namespace bobbin {

// What is known of a root that may count (sched/sharing_roots.h); written by its own kernel thread.
struct SharingRoot {
  Deadline counts;      // read by the others
  uint64_t step = 0;    // the last one, in ticks; 0: none
  Deadline fresh;       // that the next two hold
  uint32_t change = 0;  // as it was then, see sharing_roots.cpp
  unsigned others = 0;
  unsigned told = 0;  // how many threads its regions have; 0: it has not asked
};

}  // namespace bobbin
