// SPDX-License-Identifier: Apache-2.0
#include "task/priority.h"

#include "task/extras.h"

namespace bobbin {
namespace {

int priority_of(const Task& task) { return task.extras->priority; }

Task*& next(Task& task) { return task.extras->next_by_priority; }

}  // namespace

void push_by_priority(Team& team, Task& task) {
  SpinGuard guard(team.priority_lock);
  Task* before = nullptr;
  Task* after = team.priority_tasks.load(relaxed);
  // From the youngest of the same priority backwards would be quicker with many priorities;
  // programs have a handful.
  while (after != nullptr && priority_of(*after) >= priority_of(task)) {
    before = after;
    after = next(*after);
  }
  next(task) = after;
  if (before != nullptr) {
    next(*before) = &task;
  } else {
    team.priority_tasks.store(&task, relaxed);
  }
}

Task* pop_by_priority(Team& team) {
  if (team.priority_tasks.load(relaxed) == nullptr) [[likely]]
    return nullptr;
  SpinGuard guard(team.priority_lock);
  Task* task = team.priority_tasks.load(relaxed);
  if (task != nullptr) team.priority_tasks.store(next(*task), relaxed);
  return task;
}

}  // namespace bobbin
