// SPDX-License-Identifier: Apache-2.0
// What the past tells about the next region, for programs that open one every so often: a step of a
// simulation, a request, a frame. While helpers still spin since the last region none of this is
// asked. All times in ticks.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/clock.h"

namespace bobbin {

// Running mean and mean deviation, as TCP keeps them of its round trips (Jacobson, SIGCOMM 1988).
// A value far out of the range counts only as one that is just out of it: a single one leaves the
// range useful, a new level is reached within some ten values.
class RunningRange {
 public:
  void learn(uint64_t value) {
    if (mean_ == 0) {
      mean_ = value;
      deviation_ = value / 4;
      return;
    }
    uint64_t error = value > mean_ ? value - mean_ : mean_ - value;
    uint64_t most = 4 * deviation_ + mean_ / 64 + 1;
    if (error > most) error = most;
    mean_ = value > mean_ ? mean_ + error / 8 : mean_ - error / 8;
    deviation_ = deviation_ - deviation_ / 4 + error / 4;
  }

  void fade() {
    mean_ -= mean_ / 32;
    deviation_ -= deviation_ / 32;
  }

  uint64_t low() const { return mean_ > 2 * deviation_ ? mean_ - 2 * deviation_ : 0; }
  uint64_t high() const { return mean_ + 2 * deviation_; }

 private:
  uint64_t mean_ = 0;
  uint64_t deviation_ = 0;
};

// How long regions take, by the code that they execute. A length much above the others of the same
// code counts in full and is forgotten slowly, for to run one without help costs more than to call
// in vain; and its threads may wait for each other where the runtime does not see it.
class RegionLengths {
 public:
  static constexpr uint64_t kUnknown = ~uint64_t{0};

  uint64_t expected(const void* code) const {
    const Entry& entry = entries_[slot_of(code)];
    return entry.code == code ? entry.length : kUnknown;
  }

  void learn(const void* code, uint64_t length) {
    Entry& entry = entries_[slot_of(code)];
    if (entry.code != code || length > 2 * entry.length) {
      entry = {code, length};
    } else {
      entry.length = entry.length - entry.length / 32 + length / 32;
    }
  }

 private:
  struct Entry {
    const void* code = nullptr;
    uint64_t length = 0;
  };
  static constexpr unsigned kBits = 4;
  static unsigned slot_of(const void* code) {  // Fibonacci hashing
    return static_cast<unsigned>((reinterpret_cast<uint64_t>(code) * 0x9e3779b97f4a7c15u) >>
                                 (64 - kBits));
  }

  Entry entries_[1u << kBits] = {};
};

// How long it takes from the call until a helper that slept runs; for all of them.
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
  Atomic<uint64_t> sixteenths_{0};  // of a microsecond; of updates at the same time one may be lost
};

}  // namespace bobbin
