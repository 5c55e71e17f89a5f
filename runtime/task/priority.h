// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/constraint.h"
#include "task/extras.h"
#include "team/team.h"

namespace bobbin {

// A team's shared queues are ordered by priority (section 12.4), and first in, first out among
// families of equal priority. A family is those children of one parent in the queue that have the
// same priority, in that order, too. All tasks in a queue have extras.
//
// Siblings descend from the same tasks. So a thread that waits in a task, and may begin only what
// descends from it (task/constraint.h), asks of a whole family at once, however long it is, and
// finds the waiting task's own children by a table of families. Transparent tasks, of which one may
// be begun before others of its siblings, are a family each.
//
// The first task of a family has the links to others: to the last one of its own; in a circle, to
// those of the next and of the previous family of that priority; to the next family in the same
// bucket of the table. The first of the first family also has that of the next lower priority. So a
// task finds its place past the priorities, which are a handful, not past the tasks.
//
// Into Team::priority_tasks go tasks of a priority above zero; those made ready by a thread of
// another team (a fulfilled event, say), which has no deque in this one; and those that the thread
// which makes them ready may not begin itself. Into Team::transparent_tasks go transparent ones.
void push_by_priority(SharedQueue& queue, Task& task);

// Under the lock, these three.
void remove_first(SharedQueue& queue, Task& first_of_family);
Task* family_of_children(const SharedQueue& queue, const Task& parent);  // nullptr: there is none

// The first family in the queue's order for which fits(const Task*) holds, or nullptr.
template <class Fits>
Task* find_family(const SharedQueue& queue, Fits&& fits) {
  for (Task* highest = queue.first.load(relaxed); highest != nullptr;
       highest = highest->extras->next_priority) {
    Task* first = highest;
    do {
      if (fits(first)) return first;
      first = first->extras->family.next;
    } while (first != highest);
  }
  return nullptr;
}

// Takes the task that find() gives, the first of a family, or nullptr. When the queue is empty that
// costs a load.
template <class Find>
Task* pop_found(SharedQueue& queue, Find&& find) {
  if (queue.empty()) [[likely]]
    return nullptr;
  SpinGuard guard(queue.lock);
  Task* first = find();
  if (first != nullptr) remove_first(queue, *first);
  return first;
}

// A task for which fits(const Task*) holds, with all that descend from what the thread waits in
// among them; nullptr: there is none.
template <class Fits>
Task* pop_by_priority(const Thread& thread, SharedQueue& queue, Fits&& fits) {
  return pop_found(queue, [&] {
    const Task* tied = constraining_task(thread);
    Task* first = tied == nullptr ? nullptr : family_of_children(queue, *tied);
    if (first != nullptr && fits(first)) return first;
    return find_family(queue, [&](const Task* task) {
      return (tied == nullptr || task->depth > tied->depth) && fits(task);
    });
  });
}

}  // namespace bobbin
