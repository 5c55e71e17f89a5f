// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/atomic.h"
#include "platform/locks/spinlock.h"
#include "platform/processors/cpu_set.h"

namespace bobbin {

// The processors that the process may use, as of the last look. sched/places/processor_changes.h
// writes it.
class KnownProcessors {
 public:
  // The lesser of masks and quota.
  unsigned count() const { return count_.load(relaxed); }
  void set_count(unsigned count) { count_.store(count, relaxed); }

  CpuSet mask() {
    const SpinGuard guard(lock_);
    return mask_;
  }
  void set_mask(const CpuSet& mask) {
    const SpinGuard guard(lock_);
    mask_ = mask;
  }
  // In the child of a fork. The mask may be half written; the next look sets it again.
  void go_on_in_child() { lock_.free_in_child(); }

 private:
  Atomic<unsigned> count_{1};  // written by the thread that looks, read by all
  SpinLock lock_;
  CpuSet mask_;
};

inline constinit KnownProcessors known_processors;

}  // namespace bobbin
