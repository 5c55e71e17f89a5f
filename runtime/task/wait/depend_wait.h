// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/depend_list.h"
#include "team/model/thread.h"

namespace bobbin {

// Waits, at a scheduling point of the current task, until a task with these dependences could run.
// For undeferred tasks and taskwait with depend clauses. Returns the thread that goes on
// (task/modes/continuation_stealing.h).
Thread& wait_for_dependences(Thread& thread, const DependList& depend);

// The taskwait construct with depend clauses, which is an empty task for a tool.
void taskwait(Thread& thread, const DependList& depend);

}  // namespace bobbin
