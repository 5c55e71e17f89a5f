// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "insight/record/clock.h"

namespace bobbin::insight {

// The time that a kernel thread works between two of its events, in ticks.
//
// The processor's counter tells short times exactly. But other threads may take the processor
// meanwhile, for milliseconds. So after a long time the kernel is asked how long the thread has had
// it. Its clock is slow to read, and therefore is not read at the end of short times.
class Stopwatch {
 public:
  struct Start {
    uint64_t ticks = 0;
    uint64_t used_ns = 0;  // of the kernel thread
  };

  // Once a process. It takes a fraction of a millisecond.
  void calibrate();

  static Start start();
  // `now`: ticks, read as early as possible. By the kernel thread that has started it.
  uint64_t since(const Start& start, uint64_t now) const {
    const uint64_t passed = now > start.ticks ? now - start.ticks : 0;
    return passed < kLong ? passed : used_since(start, passed);
  }

 private:
  static constexpr uint64_t kLong = 50'000;  // some ten microseconds

  uint64_t used_since(const Start& start, uint64_t passed) const;

  Moment first_;
};

}  // namespace bobbin::insight
