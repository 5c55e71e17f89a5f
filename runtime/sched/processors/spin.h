// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "env/tuning.h"
#include "platform/atomic.h"
#include "platform/clocks/clock.h"

namespace bobbin {

// How long it is worth spinning, for a thread that waits and for a worker without work, by wait
// policy; in ticks. Set at start-up and when the program changes its settings
// (construct/settings.h); read by all.
struct SpinLimits {
  static constexpr uint64_t kForever = ~uint64_t{0} >> 4;

  Atomic<uint64_t> least{0};  // the shortest spin: the time of a transfer between two processors
  Atomic<uint64_t> most{0};   // never longer

  void set(uint64_t new_least, uint64_t new_most) {
    least.store(new_least, relaxed);
    most.store(new_most, relaxed);
  }
};
inline SpinLimits spin_limits;

// For spins that are too short to look at the clock. Returns `rounds`, or 0 if no thread is to spin
// because of the wait policy or because there is only one processor.
inline int brief_spin(int rounds) {
  return spin_limits.most.load(relaxed) != 0 ? spin_limit(rounds) : 0;
}

// After a wait of so many ticks it pays to take over a fiber of another worker. That costs a
// switch, and some transfers between two processors for the data that the fiber works with.
inline Atomic<uint64_t> worth_a_steal{0};

// From OMP_WAIT_POLICY, GOMP_SPINCOUNT, KMP_BLOCKTIME and the number of processors.
void init_spin_limits();

// Learns how long waits at one place last. Spinning for as long as a sleep and a wake-up would cost
// is at most twice as bad as the best choice (Karlin et al., SODA 1990). Knowing the usual length
// is better: if waits have been short, the next one spins to its end; if they have been long, it
// sleeps from the start.
class SpinBudget {
 public:
  uint64_t ticks() const {
    uint64_t least = spin_limits.least.load(relaxed);
    uint64_t most = spin_limits.most.load(relaxed);
    if (!enabled(Heuristic::SpinBudget)) return most;
    if (expected_ > most) return least;
    uint64_t budget = 2 * expected_ + least;
    return budget < most ? budget : most;
  }

  void learn(uint64_t waited) {
    uint64_t longest = 4 * spin_limits.most.load(relaxed);
    uint64_t bounded = waited < longest ? waited : longest;
    expected_ = expected_ - expected_ / 8 + bounded / 8;
  }

 private:
  uint64_t expected_ = 0;
};

}  // namespace bobbin
