// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/processors/cpu_set.h"

namespace bobbin {

// While this object lives, the calling kernel thread does not run on the given processor, unless
// the thread has no other. With -1 it may run on all. If somebody else changes the thread's
// affinity meanwhile, that change stays. But if only the set of processors that the process may use
// has become smaller, the thread gets back the remaining part of its own mask.
class AwayFrom {
 public:
  explicit AwayFrom(int processor);
  ~AwayFrom();
  AwayFrom(const AwayFrom&) = delete;
  AwayFrom& operator=(const AwayFrom&) = delete;

  // Is `now` equal to the part of `others` that the kernel leaves if it allows `allowed`?
  static bool narrowed_by_kernel(const CpuSet& now, const CpuSet& others, CpuSet allowed) {
    allowed.intersect(others);
    return now == allowed;
  }

 private:
  void ask_for_before();

  CpuSet before_;
  CpuSet others_;
  bool away_ = false;
};

}  // namespace bobbin
