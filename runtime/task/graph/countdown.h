// SPDX-License-Identifier: Apache-2.0
// The lock-free order among the tasks of a recorded graph, which is executed again and again.
//
// Each task has a count, `blockers`, of the predecessors that have not completed in the replay that
// is under way. Nothing is registered: the successors of a task are known, and do not change.
//
// Invariant: between two replays the count of each task is the number of its predecessors. In a
// replay each predecessor gives back one unit, once, when it has completed, as its last access to
// the count. The one that gives back the last unit owns the task: it sets the count to the number
// of predecessors again, for the next replay, and makes the task ready. So a replay begins by
// making those tasks ready that have no predecessors, and touches no others.
//
// The pairs of release and acquire: each unit is given back with release, and the last one with
// acquire, too, so the task sees what its predecessors did. If the count is found to be one, the
// thread holds the last unit, and no other thread accesses the count any more. The next replay
// begins after all tasks of this one have completed, which the counts of their taskgroup order.
#pragma once

#include <cstdint>

#include "platform/atomic.h"

namespace bobbin {

// A predecessor has completed. True: it was the last one, and the caller owns the task now.
inline bool count_down(Atomic<uint32_t>& blockers, uint32_t predecessors) {
  if (blockers.load(acquire) != 1 && blockers.fetch_sub(1, acq_rel) != 1) return false;
  blockers.store(predecessors, relaxed);
  return true;
}

}  // namespace bobbin
