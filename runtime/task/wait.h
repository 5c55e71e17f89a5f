// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/happens_before.h"
#include "team/team.h"

namespace bobbin {

// No deferred child of the task is under way. Asked by the thread that executes it.
inline bool childless(const Task& task) {
  if (task.children.load(acquire) != 0) return false;
  happens_after(&task);
  return true;
}

// Nor anything else that a new child could depend on.
inline bool order_is_empty(const Task& task) { return childless(task) && !task.order_goes_beyond; }

// The waits of taskwait and taskgroup, and for predecessors: runs tasks that the constraint allows,
// else sleeps until `waiting` falls to zero. kWaiter is set in it while the thread sleeps.
void wait_for_zero(Thread& thread, Atomic<uint32_t>& waiting);

// Returns the thread that goes on (task/strand.h).
Thread& taskwait(Thread& thread);
void taskyield(Thread& thread);

}  // namespace bobbin
