// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/constraint.h"
#include "task/model/extras.h"
#include "team/model/team.h"

namespace bobbin {

// A team's shared queues are ordered by priority (section 12.4), and first in, first out among
// families of equal priority. A family consists of those children of one parent in the queue that
// have the same priority. Within it the order is first in, first out, too. All tasks in a queue
// have extras.
//
// Siblings descend from the same tasks. So a thread that waits in a task, and may begin only
// descendants of it (task/model/constraint.h), checks a whole family at once, however long it is,
// and finds the waiting task's own children by a search. Transparent tasks differ: one may be begun
// before others of its siblings. So they are checked one by one, and all of one priority are one
// family.
//
// The tasks of a family form a circle, from the youngest on to the first. The youngest stands for
// the family in two search trees: by priority and age, which is the queue's order, and by parent
// and priority, where a task finds its family. So the steps of a push and a pop grow with the
// logarithm of the number of families, whatever priorities a program has, and nothing is allocated.
//
// Into Team::priority_tasks go tasks of a priority above zero; tasks made ready by a thread of
// another team (by fulfilling an event, for example), which has no deque in this one; and tasks
// that the thread which makes them ready may not begin itself. Into Team::transparent_tasks go
// transparent tasks.
void push_by_priority(SharedQueue& queue, Task& task);

// These two and the next two are called under the lock.
void remove_found(SharedQueue& queue, Task& task);
Task* family_of_children(const SharedQueue& queue, const Task& parent);  // nullptr: there is none

// Each deeper family is of lower rank, so the recursion is shallow.
template <class Fits>
Task* find_in_tree(Task* family, Fits&& fits) {
  for (; family != nullptr; family = family->extras->family.by_order.after) {
    if (Task* found = find_in_tree(family->extras->family.by_order.before, fits)) return found;
    Task* task = family;
    do {
      task = task->extras->next_sibling;
      if (fits(task)) return task;
    } while (task->in_order && task != family);
  }
  return nullptr;
}

// The first task in the queue's order for which fits(const Task*) holds, or nullptr.
template <class Fits>
Task* find_in_order(const SharedQueue& queue, Fits&& fits) {
  return find_in_tree(queue.by_order, fits);
}

// Takes the task that find() gives, or nullptr. An empty queue costs one load.
template <class Find>
Task* pop_found(SharedQueue& queue, Find&& find) {
  if (queue.empty()) [[likely]]
    return nullptr;
  SpinGuard guard(queue.lock);
  Task* task = find();
  if (task != nullptr) remove_found(queue, *task);
  return task;
}

// Takes a task for which fits(const Task*) holds. The candidates include all tasks that descend
// from the one that the thread waits in. nullptr: there is none.
template <class Fits>
Task* pop_by_priority(const Thread& thread, SharedQueue& queue, Fits&& fits) {
  return pop_found(queue, [&] {
    const Task* tied = constraining_task(thread);
    Task* first = tied == nullptr ? nullptr : family_of_children(queue, *tied);
    if (first != nullptr && fits(first)) return first;
    return find_in_order(queue, [&](const Task* task) {
      return (tied == nullptr || task->depth > tied->depth) && fits(task);
    });
  });
}

}  // namespace bobbin
