// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/task_spec.h"
#include "team/model/thread.h"

namespace bobbin {

// Part of decide(): shall a task with dependences run at once on the encountering thread? It does
// if it is brief (task/tuning/duration.h), because handing it over would cost this thread more than
// running it. It then needs no place in the order, because it has completed before the next task is
// made. A longer task would keep the thread away while the others run out of tasks.
//
// A task that has to wait does not run at once, because the tasks after it would wait as well, and
// looking ahead is what dependences are for. There is one exception. A brief task whose
// predecessors are all brief waits for the last of them (a stall), as long as they complete one
// after the other. Otherwise, once one tiny task has been deferred, all later ones would have to be
// deferred, too.
bool runs_at_once(Thread& thread, const TaskSpec& spec);

}  // namespace bobbin
