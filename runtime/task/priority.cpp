// SPDX-License-Identifier: Apache-2.0
#include "task/priority.h"

namespace bobbin {
namespace {

bool goes_before(const Task& a, const Task& b) {
  if (a.extras->priority != b.extras->priority) return a.extras->priority > b.extras->priority;
  return a.depth > b.depth;
}

void link_rank(SharedQueue& queue, Task* higher, Task* first) {
  if (higher != nullptr) {
    higher->extras->next_rank = first;
  } else {
    queue.first.store(first, relaxed);
  }
}

}  // namespace

void push_by_priority(SharedQueue& queue, Task& task) {
  TaskExtras& extras = *task.extras;
  extras.next_of_rank = nullptr;
  SpinGuard guard(queue.lock);
  Task* higher = nullptr;
  Task* first = queue.first.load(relaxed);
  while (first != nullptr && goes_before(*first, task)) {
    higher = first;
    first = first->extras->next_rank;
  }
  if (first != nullptr && !goes_before(task, *first)) {
    first->extras->last_of_rank->extras->next_of_rank = &task;
    first->extras->last_of_rank = &task;
    return;
  }
  extras.last_of_rank = &task;
  extras.next_rank = first;
  link_rank(queue, higher, &task);
}

void remove_from_rank(SharedQueue& queue, Task* higher, Task& first, Task* before, Task& task) {
  Task* next = task.extras->next_of_rank;
  if (before != nullptr) {
    before->extras->next_of_rank = next;
    if (next == nullptr) first.extras->last_of_rank = before;
    return;
  }
  if (next != nullptr) {
    next->extras->last_of_rank = first.extras->last_of_rank;
    next->extras->next_rank = first.extras->next_rank;
  } else {
    next = first.extras->next_rank;
  }
  link_rank(queue, higher, next);
}

}  // namespace bobbin
