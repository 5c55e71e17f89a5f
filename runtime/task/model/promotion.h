// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/model/thread.h"

namespace bobbin {

// Undeferred tasks live on the stack of the thread that runs them in place. Most never have a
// deferred child, and only the thread itself refers to them. Before an undeferred task makes its
// first deferred child, it and its undeferred ancestors move to the heap, where their children may
// outlive them. The descriptors on the stack become Promoted and lead to the new ones.

// Moves the current task if it is undeferred. False: out of memory. The task has not moved then,
// but ancestors of it may have.
//
// Invariant: no task's parent is a Promoted one.
[[nodiscard]] bool promote_current(Thread& thread);

// The structured block of the current task has ended, which is undeferred and may have moved:
// returns the task to go back to. Behind the outermost final task thieves count again, so its
// permit ends with it (task/create/permits.h).
Task* end_undeferred(Thread& thread);

// An address that tells a task from all others for as long as it lives, moved or not.
inline const void* task_identity(const Task& task) {
  return task.kind == TaskKind::Deferred ? task.data : &task;
}

}  // namespace bobbin
