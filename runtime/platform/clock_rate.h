// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace bobbin {

// What both clocks showed at a moment.
struct ClockReading {
  uint64_t ticks;
  uint64_t ns;
};

// May the rate be told from what passed between these two? Not after longer: the counter may have
// gone on while the machine slept, which the other clock does not count, or have begun anew.
inline constexpr uint64_t kLongestMeasureNs = 60'000'000'000;
inline bool tells_rate(const ClockReading& from, const ClockReading& to) {
  return to.ns - from.ns <= kLongestMeasureNs && static_cast<int64_t>(to.ticks - from.ticks) > 0;
}

// Ticks in `unit_ns` (at most a millisecond; a minute of the fastest counter known, 64 ticks a ns,
// does not overflow), of two readings that tell and are apart.
inline uint64_t ticks_in(uint64_t unit_ns, const ClockReading& from, const ClockReading& to) {
  return (to.ticks - from.ticks) * unit_ns / (to.ns - from.ns);
}

}  // namespace bobbin
