// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/clocks/clock.h"
#include "platform/locks/futex.h"

namespace bobbin {

// Where a kernel thread sleeps. The word is a token: unpark() leaves one, park() takes one or
// sleeps until there is one. Two rules make it safe. The sleeper announces what it waits for, then
// looks for work once more, then parks. The waker makes the work visible, then looks for the
// announcement. With a sequentially consistent fence between the two steps on either side at least
// one of them sees the other (Dekker). A token that was left before the sleep ends it at once.
//
//   Empty  --unpark--> Token      Asleep --unpark--> Token (and a futex wake)
//   Token  --park----> Empty      Empty  --park----> Asleep --(woken)--> Empty
class Parking {
 public:
  // Returns whether there was a token. False: the time was up first.
  bool park(uint64_t timeout_ns = kNoTimeout) {
    uint32_t expected = kEmpty;
    if (word_.compare_exchange_strong(expected, kAsleep, acquire, acquire)) {
      const bool timed = timeout_ns != kNoTimeout;
      const uint64_t until = timed ? now_ns() + timeout_ns : 0;
      while (word_.load(relaxed) == kAsleep) {
        if (futex_wait(word_, kAsleep, timeout_ns) == FutexResult::TimedOut) break;
        if (!timed) continue;
        // Sleeps for the rest of the time, however many signal handlers interrupt it.
        const uint64_t now = now_ns();
        timeout_ns = until > now ? until - now : 0;
      }
    }
    return word_.exchange(kEmpty, acquire) == kToken;
  }

  void unpark() {
    if (word_.exchange(kToken, release) == kAsleep) futex_wake(word_, 1);
  }

  // At this moment.
  bool asleep() const { return word_.load(relaxed) == kAsleep; }
  bool has_token() const { return word_.load(relaxed) == kToken; }

 private:
  static constexpr uint32_t kEmpty = 0;
  static constexpr uint32_t kAsleep = 1;
  static constexpr uint32_t kToken = 2;

  Atomic<uint32_t> word_{kEmpty};
};

}  // namespace bobbin
