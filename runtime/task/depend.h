// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/depend_list.h"
#include "team/thread.h"

namespace bobbin {

struct TaskExtras;

// Enters a new deferred task into the order its dependences give it among its parent's children
// (section 15.9.5). True: all predecessors have completed, the caller makes it ready. False: it is
// made ready by the last predecessor. Called by the thread that executes the parent.
bool register_dependences(Thread& thread, Task& task, const DependList& depend);

// Called when a task with dependences has completed: makes its successors ready that wait for
// nothing else, all but one, which it returns for the caller to execute or make ready; nullptr if
// there are none.
[[nodiscard]] Task* release_successors(Thread& thread, Task& task);

// A task with mutexinoutset dependences that is about to run must own them; false: it has been put
// aside and becomes ready again when the owner completes.
bool acquire_exclusion(Task& task);

enum class Predecessors {
  None,   // that have not completed
  Brief,  // and all that those wait for is brief, too
  Some,
};

// What would a child of the current task with these dependences have to wait for? When so much is
// found, no more is looked for.
Predecessors predecessors(Thread& thread, const DependList& depend,
                          Predecessors enough = Predecessors::Some);

// Waits, at a scheduling point of the current task, until a task with these dependences could run:
// undeferred tasks and taskwait with depend clauses. Returns the thread that goes on
// (task/strand.h).
Thread& wait_for_dependences(Thread& thread, const DependList& depend);

// The children's table of a task that is freed, or of an implicit task whose region ends.
void discard_table(TaskExtras& extras);

}  // namespace bobbin
