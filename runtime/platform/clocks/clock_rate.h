// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace bobbin {

// The values of both clocks at one moment.
struct ClockReading {
  uint64_t ticks;
  uint64_t ns;
};

// Can the rate be computed from these two readings? Not if they are more than a minute apart: the
// counter may have counted while the machine slept, which the other clock does not count, or it may
// have been reset.
inline constexpr uint64_t kLongestMeasureNs = 60'000'000'000;
inline bool tells_rate(const ClockReading& from, const ClockReading& to) {
  return to.ns - from.ns <= kLongestMeasureNs && static_cast<int64_t>(to.ticks - from.ticks) > 0;
}

// Ticks in `unit_ns`, which is at most a millisecond. A minute of the fastest counter known, 64
// ticks a ns, does not overflow. Both readings must satisfy tells_rate() and have different times.
inline uint64_t ticks_in(uint64_t unit_ns, const ClockReading& from, const ClockReading& to) {
  return (to.ticks - from.ticks) * unit_ns / (to.ns - from.ns);
}

}  // namespace bobbin
