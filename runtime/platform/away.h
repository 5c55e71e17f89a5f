// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/cpu_set.h"

namespace bobbin {

// While it lives the calling kernel thread does not run on the given processor (-1: may run on
// all), unless that is the only one that it has. An affinity that somebody else gives the thread
// meanwhile stays; but if only the processors that the process may use have become fewer, the
// thread gets back what is left of its own.
class AwayFrom {
 public:
  explicit AwayFrom(int processor);
  ~AwayFrom();
  AwayFrom(const AwayFrom&) = delete;
  AwayFrom& operator=(const AwayFrom&) = delete;

  // Is `now` what the kernel leaves of `others`, if it allows `allowed`?
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
