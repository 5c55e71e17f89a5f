// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/atomic.h"

namespace bobbin {

// Longer than any deadline that is set here, in ticks: 20 s, or 1 s where ticks are shortest.
#if defined(BOBBIN_MODEL)
inline constexpr uint64_t kLongestDeadline = ~uint64_t{0} >> 1;  // what is set there has no end
#else
inline constexpr uint64_t kLongestDeadline = uint64_t{1} << 36;
#endif

// Is this time still to come? When the machine hibernates, or the process is moved to another
// machine, the cycle counter may start again or continue from another counter's value. So a time
// that is further off than any that was ever set counts as past. Otherwise it would be in force for
// as long as the machine had been running before.
inline bool still_to_come(uint64_t time, uint64_t now) { return time - now - 1 < kLongestDeadline; }

// The time until which something is in force. A reader does the right thing whether or not it sees
// a deadline that is being set, because no other data depend on it.
class Deadline {
 public:
  bool ahead(uint64_t now) const { return still_to_come(until_.load(relaxed), now); }

  void set(uint64_t now, uint64_t span) { until_.store(end(now, span), relaxed); }
  // At least for this span.
  void extend(uint64_t now, uint64_t span) {
    const uint64_t until = until_.load(relaxed);
    if (!still_to_come(until, now) || until - now < span) set(now, span);
  }
  // True for one of the callers that come after the deadline has passed; it is set again then.
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
