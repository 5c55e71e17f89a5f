// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/atomic.h"

namespace bobbin {

// Longer than anything here is in force, in ticks: 20 s, or 1 s where they are the shortest.
#if defined(BOBBIN_MODEL)
inline constexpr uint64_t kLongestDeadline = ~uint64_t{0} >> 1;  // what is set there has no end
#else
inline constexpr uint64_t kLongestDeadline = uint64_t{1} << 36;
#endif

// Is this time still to come? A cycle counter may begin anew, or go on from another one's count,
// when the machine hibernates or the process is moved to another machine. So a time further off
// than any that was ever set is none, else it would be in force for as long as the machine ran
// before.
inline bool still_to_come(uint64_t time, uint64_t now) { return time - now - 1 < kLongestDeadline; }

// Until when something is in force. Whoever sees it set, or not yet, does the right thing: it is
// about nothing but itself.
class Deadline {
 public:
  bool ahead(uint64_t now) const { return still_to_come(until_.load(relaxed), now); }

  void set(uint64_t now, uint64_t span) { until_.store(end(now, span), relaxed); }
  // At least so long.
  void extend(uint64_t now, uint64_t span) {
    const uint64_t until = until_.load(relaxed);
    if (!still_to_come(until, now) || until - now < span) set(now, span);
  }
  // True, and set again, for one of those who come when it is over.
  bool renew(uint64_t now, uint64_t span) {
    uint64_t until = until_.load(relaxed);
    return !still_to_come(until, now) &&
           until_.compare_exchange_strong(until, end(now, span), relaxed, relaxed);
  }
  void clear() { until_.store(0, relaxed); }

 private:
  static uint64_t end(uint64_t now, uint64_t span) {
    return now + (span < kLongestDeadline ? span : kLongestDeadline);
  }

  Atomic<uint64_t> until_{0};
};

}  // namespace bobbin
