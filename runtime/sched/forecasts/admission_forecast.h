// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/atomic.h"

namespace bobbin {

// Some libraries let only one kernel thread of the program at a time open a region, and let the
// others spin in code of their own until it has ended (OpenBLAS). The spinning threads take the
// processors from the region, which becomes very slow if there are more such threads than
// processors. But each of them first asks, by omp_get_max_threads, how many threads it will get,
// and from there the way to the region is short unless another thread blocks it. So a thread that
// asks may find, again and again, that others have been on that way for long, while two regions are
// never open at once. Then it waits right there, asleep, until no thread is in a region or on the
// way to one. It waits for a limited time: nothing depends on it.
class AdmissionForecast {
 public:
  static constexpr unsigned kMost = 16;
  static constexpr unsigned kEnough = 8;

  struct Seen {
    unsigned open = 0;      // other roots in a region
    bool on_way = false;    // another root has asked and is not in its region yet,
    bool long_way = false;  // ... and has been on the way for long
    bool waits = false;     // another root waits for its turn
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

// State of a root; written by its own kernel thread.
struct Admission {
  Relaxed<uint64_t> asked_at = 0;     // in ticks; if later than the last fork, it is on the way
  Relaxed<uint64_t> waits_since = 0;  // 0: it does not wait
  AdmissionForecast forecast;
  unsigned in_vain = 0;  // how often it asked since the last region
};

}  // namespace bobbin
