// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/atomic.h"
#include "platform/spinlock.h"
#include "team/task.h"

namespace bobbin {

// Tasks that all threads of a team find in one place: see task/priority.h. Written under the lock.
struct SharedQueue {
  Atomic<Task*> first{nullptr};
  SpinLock lock;

  // In the child of a fork. What another thread was changing is lost.
  void go_on_alone() {
    if (lock.free_in_child()) first.store(nullptr, relaxed);
  }

  bool empty() const { return first.load(relaxed) == nullptr; }
};

}  // namespace bobbin
