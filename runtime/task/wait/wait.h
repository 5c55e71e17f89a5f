// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/childless.h"
#include "team/model/team.h"
#include "tool/own_events.h"

namespace bobbin {

// The wait of taskwait and taskgroup, and for predecessors: runs tasks that the constraint allows,
// otherwise sleeps until `waiting` falls to zero. kWaiter is set in it while the thread sleeps.
void wait_for_zero(Thread& thread, Atomic<uint32_t>& waiting);

// While a tool watches: the taskwait has nothing to wait for, and the tool is content with what it
// has been told of it. `thread` may be null.
inline bool taskwait_passes(Thread* thread, const void* code) {
  return tool::watched && thread != nullptr && childless(*thread->task) &&
         (tool::told_briefly(bobbin_brief_taskwait, thread->tool.data, code) ||
          !tool::wants_waits());
}

// Returns the thread that goes on (task/modes/continuation_stealing.h).
Thread& taskwait(Thread& thread);
void taskyield(Thread& thread);

}  // namespace bobbin
