// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/watchers/happens_before.h"
#include "team/model/task.h"

namespace bobbin {

// No deferred child of the task is under way. Asked by the thread that executes the task.
inline bool childless(const Task& task) {
  if (task.children.load(acquire) != 0) return false;
  happens_after(&task);
  return true;
}

// Nor is there anything else that a new child could depend on.
inline bool order_is_empty(const Task& task) { return childless(task) && !task.order_goes_beyond; }

}  // namespace bobbin
