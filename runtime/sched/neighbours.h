// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "sched/deadline.h"

namespace bobbin {

// How many processors other processes keep busy, as far as four looks in a row agree. Fewer would
// not do: a shell that has just started this program is seen by one, and whoever reads what the
// program writes into a pipe, and is busy for a third of the time, by two in a row often enough.
// What was seen holds for a period, or for kBusyPeriods if there was somebody, for a look takes a
// helper that is awake, or if the look itself took long. Times are in ticks.
class Neighbours {
 public:
  unsigned busy(uint64_t now) const { return holds_.ahead(now) ? busy_.load(relaxed) : 0; }

  // There was somebody when a look was taken last, and that is too long ago to count.
  bool doubtful(uint64_t now) const { return busy_.load(relaxed) > 0 && !holds_.ahead(now); }

  static constexpr unsigned kAgreeing = 4;
  static constexpr unsigned kBusyPeriods = 4;
  static constexpr unsigned kLooks = 500;  // a look may take a 500th of the time

  // Once a period true for one of those who ask. He looks, and tells what he has seen.
  bool look_is_due(uint64_t now, uint64_t period) {
    return !ignored_.load(relaxed) && holds_.renew(now, period);
  }
  // `took`: the look itself.
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
  // Nobody looks any more.
  void ignore() {
    busy_.store(0, relaxed);
    ignored_.store(true, relaxed);
  }

 private:
  // Written by who looks, read by all.
  Deadline holds_;
  Atomic<unsigned> busy_{0};
  Atomic<bool> ignored_{false};
  Atomic<uint32_t> seen_{0};  // the last looks, a byte each, the newest lowest
};

}  // namespace bobbin
