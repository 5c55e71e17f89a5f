// SPDX-License-Identifier: Apache-2.0
#include "task/priority.h"

namespace bobbin {

void push_by_priority(SharedQueue& queue, Task& task) {
  SpinGuard guard(queue.lock);
  Task* before = queue.last;
  Task* after = nullptr;
  // Most are of the lowest priority that there is; programs have a handful of others.
  if (before != nullptr && before->extras->priority < task.extras->priority) {
    before = nullptr;
    after = queue.first.load(relaxed);
    while (after->extras->priority >= task.extras->priority) {
      before = after;
      after = after->extras->next_by_priority;
    }
  }
  task.extras->next_by_priority = after;
  if (before != nullptr) {
    before->extras->next_by_priority = &task;
  } else {
    queue.first.store(&task, relaxed);
  }
  if (after == nullptr) queue.last = &task;
}

}  // namespace bobbin
