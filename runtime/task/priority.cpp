// SPDX-License-Identifier: Apache-2.0
#include "task/priority.h"

namespace bobbin {
namespace {

void link_priority(SharedQueue& queue, Task* higher, Task* first) {
  if (higher != nullptr) {
    higher->extras->next_priority = first;
  } else {
    queue.first.store(first, relaxed);
  }
}

}  // namespace

void push_by_priority(SharedQueue& queue, Task& task) {
  TaskExtras& extras = *task.extras;
  extras.next_of_priority = nullptr;
  SpinGuard guard(queue.lock);
  Task* higher = nullptr;
  Task* first = queue.first.load(relaxed);
  while (first != nullptr && first->extras->priority > extras.priority) {
    higher = first;
    first = first->extras->next_priority;
  }
  if (first != nullptr && first->extras->priority == extras.priority) {
    first->extras->last_of_priority->extras->next_of_priority = &task;
    first->extras->last_of_priority = &task;
    return;
  }
  extras.last_of_priority = &task;
  extras.next_priority = first;
  link_priority(queue, higher, &task);
}

void remove_from_priority(SharedQueue& queue, Task* higher, Task& first, Task* before, Task& task) {
  Task* next = task.extras->next_of_priority;
  if (before != nullptr) {
    before->extras->next_of_priority = next;
    if (next == nullptr) first.extras->last_of_priority = before;
    return;
  }
  if (next != nullptr) {
    next->extras->last_of_priority = first.extras->last_of_priority;
    next->extras->next_priority = first.extras->next_priority;
  } else {
    next = first.extras->next_priority;
  }
  link_priority(queue, higher, next);
}

}  // namespace bobbin
