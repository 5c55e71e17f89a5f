// SPDX-License-Identifier: Apache-2.0
// What the past tells about the next region, for programs that open regions at intervals: one for
// each step of a simulation, request or frame. While helpers still spin since the last region, none
// of this is used. All times are in ticks.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/clocks/clock.h"
#include "sched/forecasts/code_table.h"

namespace bobbin {

// How long regions take, by the code that they execute. A length much above the others of the same
// code counts in full and is forgotten slowly, because to run a long region without help costs more
// than to wake a helper in vain. Also its threads may wait for each other where the runtime does
// not see it.
class RegionLengths {
 public:
  static constexpr uint64_t kUnknown = ~uint64_t{0};

  uint64_t expected(const void* code) const {
    const Entry* entry = entries_.find(code);
    return entry != nullptr ? entry->length : kUnknown;
  }

  void learn(const void* code, uint64_t length) {
    Entry& entry = entries_.find_or_make(code);
    const bool long_one = entry.length == kUnknown || length > 2 * entry.length;
    entry.length = long_one ? length : entry.length - entry.length / 32 + length / 32;
  }

 private:
  struct Entry {
    const void* code = nullptr;
    uint64_t length = kUnknown;
  };
  CodeTable<Entry> entries_;
};

// The time from a wake-up until the helper that slept runs; one value for all helpers.
class WakeUp {
 public:
  uint64_t expected() const { return sixteenths_.load(relaxed) * ticks_per_us() / 16; }

  void learn(uint64_t took) {
    uint64_t sixteenths = took * 16 / ticks_per_us();
    if (sixteenths > kMost) sixteenths = kMost;
    uint64_t known = sixteenths_.load(relaxed);
    sixteenths_.store(known - known / 4 + sixteenths / 4, relaxed);
  }
  void fade() {
    uint64_t known = sixteenths_.load(relaxed);
    sixteenths_.store(known - (known + 63) / 64, relaxed);
  }

 private:
  static constexpr uint64_t kMost = 16 * 200;
  Atomic<uint64_t> sixteenths_{0};  // of a microsecond; one of two simultaneous updates may be lost
};

}  // namespace bobbin
