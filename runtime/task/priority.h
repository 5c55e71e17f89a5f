// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/extras.h"
#include "team/team.h"

namespace bobbin {

// A team's shared queues are ordered by priority (section 12.4), first in, first out among equals.
// All tasks in them have extras. A queue is a list of lists, one for each priority in it: the first
// task of each knows the last one, and the first one of the next priority. So a task finds its
// place past the priorities, which are a handful, not past the tasks.
//
// Into Team::priority_tasks go tasks of a priority above zero; those made ready by a thread of
// another team (a fulfilled event, say), which has no deque in this one; and those that the thread
// which makes them ready may not begin itself. Into Team::transparent_tasks go transparent ones.
void push_by_priority(SharedQueue& queue, Task& task);

// Under the lock. The first one of its priority; before that the first one of the next higher one,
// and the task before it in its own, or nullptr.
void remove_from_priority(SharedQueue& queue, Task* higher, Task& first, Task* before, Task& task);

// The task of highest priority among those for which fits(const Task*) holds, or nullptr; when the
// queue is empty that costs a load.
template <class Fits>
Task* pop_by_priority(SharedQueue& queue, Fits&& fits) {
  if (queue.empty()) [[likely]]
    return nullptr;
  SpinGuard guard(queue.lock);
  Task* higher = nullptr;
  for (Task* first = queue.first.load(relaxed); first != nullptr;) {
    Task* before = nullptr;
    for (Task* task = first; task != nullptr; task = task->extras->next_of_priority) {
      if (fits(task)) {
        remove_from_priority(queue, higher, *first, before, *task);
        return task;
      }
      before = task;
    }
    higher = first;
    first = first->extras->next_priority;
  }
  return nullptr;
}

}  // namespace bobbin
