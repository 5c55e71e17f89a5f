// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/constraint.h"
#include "task/extras.h"
#include "team/team.h"

namespace bobbin {

// A team's shared queues are ordered by priority (section 12.4), among equals by depth, the deepest
// first, and first in, first out among equals in both. All tasks in them have extras. A queue is a
// list of lists, one for each rank (priority and depth) in it: the first task of each knows the
// last one, and the first one of the next rank. So a task finds its place past the ranks, which are
// a handful, not past the tasks; and a thread that waits in a task, and so may begin only tasks
// that descend from it (task/constraint.h), passes over all that lie no deeper at once.
//
// Into Team::priority_tasks go tasks of a priority above zero; those made ready by a thread of
// another team (a fulfilled event, say), which has no deque in this one; and those that the thread
// which makes them ready may not begin itself. Into Team::transparent_tasks go transparent ones.
void push_by_priority(SharedQueue& queue, Task& task);

// Under the lock. The first one of its rank; before that the first one of the next higher one, and
// the task before it in its own, or nullptr.
void remove_from_rank(SharedQueue& queue, Task* higher, Task& first, Task* before, Task& task);

// The task of highest rank among those at least so deep for which fits(const Task*) holds, or
// nullptr.
template <class Fits>
Task* pop_by_priority(SharedQueue& queue, uint32_t least_depth, Fits&& fits) {
  SpinGuard guard(queue.lock);
  Task* higher = nullptr;
  for (Task* first = queue.first.load(relaxed); first != nullptr;) {
    Task* before = nullptr;
    Task* task = first->depth < least_depth ? nullptr : first;
    for (; task != nullptr; task = task->extras->next_of_rank) {
      if (fits(task)) {
        remove_from_rank(queue, higher, *first, before, *task);
        return task;
      }
      before = task;
    }
    higher = first;
    first = first->extras->next_rank;
  }
  return nullptr;
}

// Of those that the thread may begin, and for which fits(const Task*) holds. When the queue is
// empty that costs a load.
template <class Fits>
Task* pop_by_priority(const Thread& thread, SharedQueue& queue, Fits&& fits) {
  if (queue.empty()) [[likely]]
    return nullptr;
  const Task* tied = constraining_task(thread);
  return pop_by_priority(queue, tied == nullptr ? 0 : tied->depth + 1, fits);
}

}  // namespace bobbin
