// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/extras.h"
#include "team/team.h"

namespace bobbin {

// The team's shared queue, ordered by priority (section 12.4), first in, first out among equals.
// Here go tasks of a priority above zero; those made ready by a thread of another team (a fulfilled
// event, say), which has no deque in this one; and those that the thread which makes them ready may
// not begin itself. All of these have extras.
void push_by_priority(Team& team, Task& task);

// The task of highest priority among those for which fits(const Task*) holds, or nullptr; when the
// queue is empty that costs a load.
template <class Fits>
Task* pop_by_priority(Team& team, Fits&& fits) {
  if (team.priority_tasks.load(relaxed) == nullptr) [[likely]]
    return nullptr;
  SpinGuard guard(team.priority_lock);
  Task* before = nullptr;
  Task* task = team.priority_tasks.load(relaxed);
  while (task != nullptr && !fits(task)) {
    before = task;
    task = task->extras->next_by_priority;
  }
  if (task == nullptr) return nullptr;
  Task* after = task->extras->next_by_priority;
  if (before != nullptr) {
    before->extras->next_by_priority = after;
  } else {
    team.priority_tasks.store(after, relaxed);
  }
  return task;
}

}  // namespace bobbin
