// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/task_spec.h"
#include "team/thread.h"

namespace bobbin {

void create_task(Thread& thread, const TaskSpec& spec);

// The same for one of those that a construct makes several of, none of which is transparent.
void create_opaque_task(Thread& thread, const TaskSpec& spec);

// For a task with dependences that have not been decoded yet (`depend` is empty). True: it has been
// executed, for it is brief and, as no child of the current task is under way, there is nothing
// that it could depend on. False: nothing has been done.
bool create_without_predecessors(Thread& thread, const TaskSpec& spec);

// taskwait with nowait: others may depend on it (section 15.5).
void create_empty_task(Thread& thread, const DependList& depend);

}  // namespace bobbin
