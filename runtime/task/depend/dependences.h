// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/depend/predecessors.h"
#include "task/depend/ready_tasks.h"
#include "task/model/depend_list.h"
#include "team/model/thread.h"

namespace bobbin {

// Enters a new deferred task into the order that its dependences give it among its parent's
// children (section 15.9.5). True: all predecessors have completed, and the caller makes the task
// ready. False: the last predecessor makes it ready. Called by the thread that executes the parent.
bool register_dependences(Thread& thread, Task& task, const DependList& depend);

// A task with dependences has completed: the tasks that wait for nothing else any more. The last
// one was made first.
[[nodiscard]] ReadyTasks release_successors(Thread& thread, Task& task);

// A task with mutexinoutset dependences must own them before it runs. False: it has been put aside
// and becomes ready again when the owner completes.
bool acquire_exclusion(Task& task);

// For a race detector, at the begin of a task with dependences: what comes before it.
void tell_order_before(const Task& task);

// What would a child of the current task with these dependences have to wait for? The search ends
// when `enough` is found.
Predecessors predecessors(Thread& thread, const DependList& depend,
                          Predecessors enough = Predecessors::Some);

}  // namespace bobbin
