// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/team.h"

namespace bobbin {

// The wait of taskwait and taskgroup, and for predecessors: runs tasks that the constraint allows,
// otherwise sleeps until `waiting` falls to zero. kWaiter is set in it while the thread sleeps.
void wait_for_zero(Thread& thread, Atomic<uint32_t>& waiting);

// Returns the thread that goes on (task/modes/continuation_stealing.h).
Thread& taskwait(Thread& thread);
void taskyield(Thread& thread);

}  // namespace bobbin
