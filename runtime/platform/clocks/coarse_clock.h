// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/clocks/clock.h"

namespace bobbin {

// A clock that costs one load of a line that is seldom written, and is late: it stands still until
// some thread advances it. The monitor does so at each look (sched/monitor/monitor.cpp), so it is
// late by 80 ms at most while a region is open. It is for what people read: a debugger computes
// from the two numbers, and from those at start-up, what time it is.
class alignas(kCacheLine) CoarseClock {
 public:
  static constexpr int64_t kOftenEnoughUs = 100'000;

  // 0: nobody has advanced it so far.
  uint64_t ticks() const { return ticks_; }

  // Two threads may do so at once. Then the two numbers are of slightly different times.
  void advance() {
    ns_ = now_ns();
    ticks_ = bobbin::ticks();
  }
  // For a thread that is about to sleep and knows what time it is.
  void advance_if_late(uint64_t now) {
    const auto late = static_cast<int64_t>(now - ticks());
    if (late > kOftenEnoughUs * static_cast<int64_t>(ticks_per_us())) advance();
  }

 private:
  friend struct DebuggerView;

  Relaxed<uint64_t> ticks_ = 0;
  Relaxed<uint64_t> ns_ = 0;
};
inline constinit CoarseClock coarse_clock;

}  // namespace bobbin
