// SPDX-License-Identifier: Apache-2.0
#include "task/run/priority.h"

#include <cstdint>

#include "platform/hash.h"

namespace bobbin {
namespace {

uintptr_t family_name(const Task& task) {
  const Task* name = task.in_order ? nullptr : task.parent;
  return reinterpret_cast<uintptr_t>(name);
}

// The two orders. A family's tasks are alike in both.

struct ByOrder {
  static FamilyTree& links(Task& task) { return task.extras->family.by_order; }
  static bool before(const Task& a, const Task& b) {
    const TaskExtras& x = *a.extras;
    const TaskExtras& y = *b.extras;
    return x.priority != y.priority ? x.priority > y.priority : x.family.number < y.family.number;
  }
};

struct ByParent {
  static FamilyTree& links(Task& task) { return task.extras->by_parent; }
  static bool before(const Task& a, const Task& b) {
    const uintptr_t x = family_name(a);
    const uintptr_t y = family_name(b);
    return x != y ? x < y : a.extras->priority > b.extras->priority;
  }
};

// Treaps (Seidel and Aragon, Randomized Search Trees, 1996): no task is below one of a lower rank.
// Ranks are as good as random, whatever the priorities.
uint64_t rank(const Task& task) { return mixed_hash(task.extras->family.number); }

// The place of the task's family, where its youngest task is; or the empty place where it would be.
template <class Tree>
Task*& place_of(Task*& root, const Task& task) {
  Task** place = &root;
  while (*place != nullptr) {
    if (Tree::before(task, **place)) {
      place = &Tree::links(**place).before;
    } else if (Tree::before(**place, task)) {
      place = &Tree::links(**place).after;
    } else {
      break;
    }
  }
  return *place;
}

template <class Tree>
void insert(Task*& root, Task& task) {
  Task** place = &root;
  while (*place != nullptr && rank(**place) > rank(task)) {
    FamilyTree& links = Tree::links(**place);
    place = Tree::before(task, **place) ? &links.before : &links.after;
  }
  Task* below = *place;
  *place = &task;
  Task** before = &Tree::links(task).before;
  Task** after = &Tree::links(task).after;
  while (below != nullptr) {
    if (Tree::before(*below, task)) {
      *before = below;
      before = &Tree::links(*below).after;
      below = *before;
    } else {
      *after = below;
      after = &Tree::links(*below).before;
      below = *after;
    }
  }
  *before = *after = nullptr;
}

template <class Tree>
void erase(Task*& root, Task& task) {
  Task** place = &place_of<Tree>(root, task);
  auto [before, after] = Tree::links(task);
  while (before != nullptr && after != nullptr) {
    if (rank(*before) > rank(*after)) {
      *place = before;
      place = &Tree::links(*before).after;
      before = *place;
    } else {
      *place = after;
      place = &Tree::links(*after).before;
      after = *place;
    }
  }
  *place = before != nullptr ? before : after;
}

// `place` is that of a family's youngest task in the tree by parent. `other` takes over its places.
void stand_in(SharedQueue& queue, Task*& place, Task& other) {
  other.extras->by_parent = place->extras->by_parent;
  other.extras->family = place->extras->family;
  place_of<ByOrder>(queue.by_order, other) = place = &other;
}

}  // namespace

void push_by_priority(SharedQueue& queue, Task& task) {
  TaskExtras& extras = *task.extras;
  SpinGuard guard(queue.lock);
  queue.size.store(queue.size.load(relaxed) + 1, relaxed);
  Task*& place = place_of<ByParent>(queue.by_parent, task);
  if (place != nullptr) {
    TaskExtras& youngest = *place->extras;
    extras.next_sibling = youngest.next_sibling;
    youngest.next_sibling = &task;
    stand_in(queue, place, task);
    return;
  }
  extras.next_sibling = &task;
  extras.family.number = ++queue.families_made;
  insert<ByParent>(queue.by_parent, task);
  insert<ByOrder>(queue.by_order, task);
}

void remove_found(SharedQueue& queue, Task& task) {
  queue.size.store(queue.size.load(relaxed) - 1, relaxed);
  TaskExtras& extras = *task.extras;
  Task*& place = place_of<ByParent>(queue.by_parent, task);
  Task* before = place;
  while (before->extras->next_sibling != &task) before = before->extras->next_sibling;
  if (before != &task) {
    before->extras->next_sibling = extras.next_sibling;
    if (place == &task) stand_in(queue, place, *before);
  } else {
    erase<ByParent>(queue.by_parent, task);
    erase<ByOrder>(queue.by_order, task);
  }
  extras.advice = {};
}

Task* family_of_children(const SharedQueue& queue, const Task& parent) {
  const auto name = reinterpret_cast<uintptr_t>(&parent);
  const Task* youngest = nullptr;
  for (const Task* task = queue.by_parent; task != nullptr;) {
    const bool found = family_name(*task) == name;
    if (found) youngest = task;  // a family of a higher priority is before it
    const FamilyTree& links = task->extras->by_parent;
    task = found || name < family_name(*task) ? links.before : links.after;
  }
  return youngest != nullptr ? youngest->extras->next_sibling : nullptr;
}

}  // namespace bobbin
