// SPDX-License-Identifier: Apache-2.0
#include "task/modes/transparent_order.h"

#include "task/depend/table.h"
#include "task/model/constraint.h"

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

bool may_begin_transparent(const Task& candidate, const Task& current, const Team& team) {
  return descends_from(candidate, current, team) || comes_before(candidate, current);
}

}  // namespace bobbin
