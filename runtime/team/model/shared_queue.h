// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/atomic.h"
#include "platform/locks/spinlock.h"
#include "team/model/task.h"

namespace bobbin {

// Tasks that all threads of a team find in one place: see task/run/priority.h. Written under the
// lock.
struct SharedQueue {
  Atomic<int64_t> size{0};
  SpinLock lock;
  // The queue's families, in two orders.
  Task* by_order = nullptr;
  Task* by_parent = nullptr;
  uint64_t families_made = 0;

  SharedQueue() = default;
  SharedQueue(const SharedQueue&) = delete;
  SharedQueue& operator=(const SharedQueue&) = delete;

  // For the child of a fork. The part that another thread was changing is lost.
  void go_on_alone() {
    if (!lock.free_in_child()) return;
    size.store(0, relaxed);
    by_order = by_parent = nullptr;
  }

  bool empty() const { return size.load(relaxed) == 0; }
};

}  // namespace bobbin
