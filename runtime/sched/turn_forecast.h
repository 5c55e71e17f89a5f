// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/atomic.h"

namespace bobbin {

// Libraries that let one kernel thread of the program at a time open a region, and let the others
// spin in code of their own until it has ended (OpenBLAS), take the processors from that region:
// with more such threads than processors it crawls. But each of them asks before, by
// omp_get_max_threads, how many threads it will get, and from there the way to the region is short
// unless it is kept from it. So whoever asks, and finds again and again that others have been on
// that way for long, while two regions are never open at once, waits right there, asleep, until
// nobody is in a region or on the way to one. It does so for a limited time: nothing depends on it.
class TurnForecast {
 public:
  static constexpr unsigned kMost = 16;
  static constexpr unsigned kEnough = 8;

  struct Seen {
    unsigned open = 0;      // other roots in a region
    bool on_way = false;    // another one has asked and is not in its region yet,
    bool long_way = false;  // and that for long
    bool waits = false;     // another one waits for its turn
  };

  void learn(const Seen& seen) {
    if (seen.open > 1) {
      votes_ = 0;
    } else if (seen.long_way) {
      if (votes_ < kMost) votes_++;
    } else if (!seen.waits && votes_ > 0) {
      votes_--;
    }
  }
  bool turns_are_taken() const { return votes_ >= kEnough; }

 private:
  unsigned votes_ = 0;
};

// A root's; written by its own kernel thread.
struct Turns {
  Relaxed<uint64_t> asked_at = 0;     // in ticks; is on the way to a region, if later than the last
  Relaxed<uint64_t> waits_since = 0;  // 0: does not wait
  TurnForecast forecast;
  unsigned in_vain = 0;  // asks since the last region
};

}  // namespace bobbin
