// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/atomic.h"
#include "platform/spinlock.h"
#include "team/task.h"

namespace bobbin {

// Tasks that all threads of a team find in one place: see task/priority.h. Written under the lock.
struct SharedQueue {
  static constexpr size_t kFewBuckets = 8;

  Atomic<Task*> first{nullptr};
  Atomic<int64_t> size{0};
  SpinLock lock;
  unsigned families = 0;
  size_t bucket_count = kFewBuckets;  // a power of two
  Task** buckets = few_buckets;       // grown, they stay with the team
  Task* few_buckets[kFewBuckets]{};

  SharedQueue() = default;
  SharedQueue(const SharedQueue&) = delete;
  SharedQueue& operator=(const SharedQueue&) = delete;

  // In the child of a fork. What another thread was changing is lost.
  void go_on_alone() {
    if (!lock.free_in_child()) return;
    first.store(nullptr, relaxed);
    size.store(0, relaxed);
    families = 0;
    bucket_count = kFewBuckets;
    buckets = few_buckets;
    for (Task*& bucket : few_buckets) bucket = nullptr;
  }

  bool empty() const { return first.load(relaxed) == nullptr; }
};

}  // namespace bobbin
