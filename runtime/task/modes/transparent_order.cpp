// SPDX-License-Identifier: Apache-2.0
#include "task/modes/transparent_order.h"

#include "task/depend/table.h"
#include "task/depend/transparent.h"
#include "task/model/constraint.h"
#include "task/run/priority.h"

namespace bobbin {
namespace {

uint64_t position(const Task& task) { return task.extras->table->position; }

// Can `later` wait for something within `earlier`? Let x be `earlier` or an ancestor of it, and y
// `later` or an ancestor of it, such that x and y are siblings. A wait leads up from `later` to y
// only if all tasks on this way import, and down from x to `earlier` only if all tasks on that way
// are transparent. Then the order of x and y decides.
bool comes_before(const Task& earlier, const Task& later) {
  const Task* a = &earlier;
  const Task* b = &later;
  for (; a->depth > b->depth; a = a->parent) {
    if (!a->in_order) return false;
  }
  for (; b->depth > a->depth; b = b->parent) {
    if (!b->imports) return false;
  }
  for (; a != b; a = a->parent, b = b->parent) {
    if (!a->in_order || !b->imports) return false;
    if (a->parent == b->parent) return position(*a) < position(*b);
  }
  return false;  // one within the other
}

}  // namespace

bool TransparentMode::queue(Thread& /*thread*/, Team& /*team*/, Task& task) {
  if (!task.in_order) return false;
  push_by_priority(tasks, task);
  return true;
}

// Takes the first one that the thread may begin.
Task* TransparentMode::find(Thread& thread) {
  const Team& team = *thread.member->team;
  const Task& current = *thread.task;
  return pop_found(tasks, [&] {
    return find_in_order(tasks, [&](const Task* task) {
      return &current == thread.at_barrier || may_begin_transparent(*task, current, team);
    });
  });
}

bool set_transparent(Thread& thread, Impex impex) {
  return begin_mode<TransparentMode>(*thread.member->team) != nullptr &&
         set_next_impex(thread, impex);
}

bool may_begin_transparent(const Task& candidate, const Task& current, const Team& team) {
  return descends_from(candidate, current, team) || comes_before(candidate, current);
}

}  // namespace bobbin
