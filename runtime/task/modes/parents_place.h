// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/continuation.h"
#include "team/model/team.h"

namespace bobbin {

// For steal=parent: the place in the team of the thread that executes the parent of the current
// task, or suspended it last. The tasks that the parent has made since are next to this one in the
// program's order, and perhaps in its data. Without such a parent, the next victim.
inline unsigned parents_place(const Thread& thread) {
  const Team& team = *thread.member->team;
  const Task* task = thread.task;
  while (task->kind == TaskKind::Undeferred) task = task->parent;
  if (task->kind != TaskKind::Implicit) {
    const Thread* runner = &runner_of(*task->parent);
    for (unsigned num = 0; num < team.size; num++) {
      if (team.members[num]->thread == runner) return num;
    }
  }
  return thread.member->next_victim;
}

}  // namespace bobbin
