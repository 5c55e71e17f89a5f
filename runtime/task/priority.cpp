// SPDX-License-Identifier: Apache-2.0
#include "task/priority.h"

namespace bobbin {

void push_by_priority(Team& team, Task& task) {
  SpinGuard guard(team.priority_lock);
  Task* before = nullptr;
  Task* after = team.priority_tasks.load(relaxed);
  // From the youngest of the same priority backwards would be quicker with many priorities;
  // programs have a handful.
  while (after != nullptr && after->extras->priority >= task.extras->priority) {
    before = after;
    after = after->extras->next_by_priority;
  }
  task.extras->next_by_priority = after;
  if (before != nullptr) {
    before->extras->next_by_priority = &task;
  } else {
    team.priority_tasks.store(&task, relaxed);
  }
}

}  // namespace bobbin
