// SPDX-License-Identifier: Apache-2.0
// A task construct has been met, and the fast path (task/create/in_place.h) has not dealt with it:
// makes the task as decide() says.
#pragma once

#include "task/model/task_spec.h"
#include "team/model/thread.h"

namespace bobbin {

void create_task(Thread& thread, const TaskSpec& spec);

// The same for constructs that make several tasks. None of these is transparent.
void create_opaque_task(Thread& thread, const TaskSpec& spec);

// The dependences of the task have not been decoded, so `depend` is empty. True: the task has been
// executed, because it is brief, and because no child of the current task is under way that it
// could depend on. False: nothing has been done.
bool create_without_predecessors(Thread& thread, const TaskSpec& spec);

// taskwait with nowait: other tasks may depend on it (section 15.5).
void create_empty_task(Thread& thread, const DependList& depend);

}  // namespace bobbin
