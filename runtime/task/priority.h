// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/extras.h"
#include "team/team.h"

namespace bobbin {

// A team's shared queues are ordered by priority (section 12.4), first in, first out among equals.
// All tasks in them have extras.
//
// Into Team::priority_tasks go tasks of a priority above zero; those made ready by a thread of
// another team (a fulfilled event, say), which has no deque in this one; and those that the thread
// which makes them ready may not begin itself. Into Team::transparent_tasks go transparent ones.
void push_by_priority(SharedQueue& queue, Task& task);

// The task of highest priority among those for which fits(const Task*) holds, or nullptr; when the
// queue is empty that costs a load.
template <class Fits>
Task* pop_by_priority(SharedQueue& queue, Fits&& fits) {
  if (queue.empty()) [[likely]]
    return nullptr;
  SpinGuard guard(queue.lock);
  Task* before = nullptr;
  Task* task = queue.first.load(relaxed);
  while (task != nullptr && !fits(task)) {
    before = task;
    task = task->extras->next_by_priority;
  }
  if (task == nullptr) return nullptr;
  Task* after = task->extras->next_by_priority;
  if (before != nullptr) {
    before->extras->next_by_priority = after;
  } else {
    queue.first.store(after, relaxed);
  }
  if (after == nullptr) queue.last = before;
  return task;
}

}  // namespace bobbin
