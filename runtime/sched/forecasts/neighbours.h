// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "sched/forecasts/deadline.h"

namespace bobbin {

// How many processors other processes keep busy. A processor counts as busy when kAgreeing looks in
// a row have found it so. Fewer looks are misled: one look counts a shell that has just started
// this program, and two often count a process that reads the program's output from a pipe and is
// busy for a third of the time.
//
// The result of a look holds for one period. It holds for kBusyPeriods in two cases: if another
// process was busy, because each look needs a helper that is awake, and if the look itself took
// long. Times are in ticks.
class Neighbours {
 public:
  unsigned busy(uint64_t now) const { return holds_.ahead(now) ? busy_.load(relaxed) : 0; }

  // Another process was busy at the last look, but the result of that look holds no more.
  bool doubtful(uint64_t now) const { return busy_.load(relaxed) > 0 && !holds_.ahead(now); }

  static constexpr unsigned kAgreeing = 4;
  static constexpr unsigned kBusyPeriods = 4;
  static constexpr unsigned kLooks = 500;  // looks may take a 500th of the time

  // True for one caller in each period, which must look and report what it has seen.
  bool look_is_due(uint64_t now, uint64_t period) {
    return !ignored_.load(relaxed) && holds_.renew(now, period);
  }
  // `took`: the duration of the look itself.
  void see(unsigned busy, uint64_t now, uint64_t took, uint64_t period) {
    constexpr unsigned kMost = 255;
    const uint32_t seen = seen_.load(relaxed) << 8 | (busy < kMost ? busy : kMost);
    seen_.store(seen, relaxed);
    unsigned lasting = kMost;
    for (unsigned look = 0; look < kAgreeing; look++) {
      const unsigned then = seen >> (8 * look) & kMost;
      if (then < lasting) lasting = then;
    }
    busy_.store(lasting, relaxed);
    const uint64_t longest = kBusyPeriods * period;
    uint64_t holds = kLooks * took;
    if (holds < period) holds = period;
    if (holds > longest || lasting > 0) holds = longest;
    holds_.set(now, holds);
  }
  // From now on no worker looks, until look_again().
  void ignore() {
    busy_.store(0, relaxed);
    ignored_.store(true, relaxed);
  }
  void look_again() { ignored_.store(false, relaxed); }

 private:
  // Written by the worker that looks, read by all.
  Deadline holds_;
  Atomic<unsigned> busy_{0};
  Atomic<bool> ignored_{false};
  Atomic<uint32_t> seen_{0};  // the last looks, a byte each, the newest lowest
};

}  // namespace bobbin
