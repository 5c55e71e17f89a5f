// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/memory/bulk.h"
#include "task/model/child_count.h"
#include "task/model/promotion.h"
#include "task/tuning/defer_limit.h"

namespace bobbin {

// Makes a deferred task of the current task. `get(parent)` returns a descriptor that has inherited
// from the parent, and `fill(task)` gives it its data and whatever else it has. Afterwards threads
// may wait for it. nullptr: no memory, or get() returned nullptr.
template <class Get, class Fill>
[[gnu::always_inline]] inline Task* make_task(Thread& thread, Get&& get, Fill&& fill) {
  if (!promote_current(thread)) return nullptr;
  learn_from_thieves(thread);
  Task* task = get(*thread.task);
  if (task == nullptr) return nullptr;
  fill(*task);
  count_child(*thread.member, *task, weight_of(*task));
  return task;
}

}  // namespace bobbin
