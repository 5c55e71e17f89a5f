// SPDX-License-Identifier: Apache-2.0
#include "task/priority.h"

#include <cstdint>
#include <cstdlib>

#include "platform/keep_errno.h"

namespace bobbin {
namespace {

const Task* family_name(const Task& task) { return task.in_order ? &task : task.parent; }

bool are_family(const Task& a, const Task& b) {
  return family_name(a) == family_name(b) && a.extras->priority == b.extras->priority;
}

Task*& bucket_of(const SharedQueue& queue, const Task* name) {
  const auto line = reinterpret_cast<uintptr_t>(name) / kCacheLine;
  return queue.buckets[(line ^ line / queue.bucket_count) & (queue.bucket_count - 1)];
}

// Without memory the chains just get longer.
void grow_table(SharedQueue& queue) {
  const KeepErrno keep;
  const size_t count = queue.bucket_count;
  auto* bigger = static_cast<Task**>(calloc(4 * count, sizeof(Task*)));
  if (bigger == nullptr) return;
  Task** old = queue.buckets;
  queue.buckets = bigger;
  queue.bucket_count = 4 * count;
  for (size_t i = 0; i < count; i++) {
    for (Task* first = old[i]; first != nullptr;) {
      Task*& bucket = bucket_of(queue, family_name(*first));
      Task* next = first->extras->family.in_bucket;
      first->extras->family.in_bucket = bucket;
      bucket = first;
      first = next;
    }
  }
  if (old != queue.few_buckets) free(old);
}

// The first of the first family of this or a lower priority, and that of the one before.
struct Place {
  Task* higher;
  Task* first;
};

Place find_priority(const SharedQueue& queue, int priority) {
  Place place{nullptr, queue.first.load(relaxed)};
  while (place.first != nullptr && place.first->extras->priority > priority) {
    place = {place.first, place.first->extras->next_priority};
  }
  return place;
}

void link_priority(SharedQueue& queue, Task* higher, Task* first) {
  if (higher != nullptr) {
    higher->extras->next_priority = first;
  } else {
    queue.first.store(first, relaxed);
  }
}

void link_families(Task* first, Task* second) {
  first->extras->family.next = second;
  second->extras->family.previous = first;
}

void begin_family(SharedQueue& queue, Task& task) {
  if (queue.families++ == 2 * queue.bucket_count) grow_table(queue);
  Task*& bucket = bucket_of(queue, family_name(task));
  TaskExtras& extras = *task.extras;
  extras.last_sibling = &task;
  extras.family = {&task, &task, bucket};
  bucket = &task;
  const auto [higher, first] = find_priority(queue, extras.priority);
  if (first != nullptr && first->extras->priority == extras.priority) {
    link_families(first->extras->family.previous, &task);
    link_families(&task, first);
  } else {
    extras.next_priority = first;
    link_priority(queue, higher, &task);
  }
}

}  // namespace

void push_by_priority(SharedQueue& queue, Task& task) {
  task.extras->next_sibling = nullptr;
  SpinGuard guard(queue.lock);
  queue.size.store(queue.size.load(relaxed) + 1, relaxed);
  Task* first = bucket_of(queue, family_name(task));
  for (; first != nullptr; first = first->extras->family.in_bucket) {
    if (!are_family(*first, task)) continue;
    first->extras->last_sibling->extras->next_sibling = &task;
    first->extras->last_sibling = &task;
    return;
  }
  begin_family(queue, task);
}

// What takes its place is its next sibling, with all its links; else, in the order of priorities,
// the next family.
void remove_first(SharedQueue& queue, Task& task) {
  queue.size.store(queue.size.load(relaxed) - 1, relaxed);
  TaskExtras& extras = *task.extras;
  const FamilyLinks links = extras.family;
  Task* sibling = extras.next_sibling;
  Task* successor = links.next != &task ? links.next : nullptr;
  Task** from_bucket = &bucket_of(queue, family_name(task));
  while (*from_bucket != &task) from_bucket = &(*from_bucket)->extras->family.in_bucket;
  const auto [higher, first] = find_priority(queue, extras.priority);

  if (sibling != nullptr) {
    sibling->extras->last_sibling = extras.last_sibling;
    sibling->extras->family = {sibling, sibling, links.in_bucket};
    *from_bucket = sibling;
    if (successor != nullptr) {
      link_families(links.previous, sibling);
      link_families(sibling, successor);
    }
    successor = sibling;
  } else {
    queue.families--;
    *from_bucket = links.in_bucket;
    if (successor != nullptr) link_families(links.previous, successor);
  }
  if (first == &task) {
    if (successor != nullptr) successor->extras->next_priority = extras.next_priority;
    link_priority(queue, higher, successor != nullptr ? successor : extras.next_priority);
  }
  extras.advice = {};
}

Task* family_of_children(const SharedQueue& queue, const Task& parent) {
  Task* highest = nullptr;
  for (Task* first = bucket_of(queue, &parent); first != nullptr;
       first = first->extras->family.in_bucket) {
    if (family_name(*first) != &parent) continue;
    if (highest == nullptr || first->extras->priority > highest->extras->priority) highest = first;
  }
  return highest;
}

}  // namespace bobbin
