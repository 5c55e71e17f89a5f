// SPDX-License-Identifier: Apache-2.0
#include "sched/processors/spin.h"

#include "env/icv.h"
#include "sched/processors/known_processors.h"

namespace bobbin {

void init_spin_limits() {
  const GlobalIcvs& icvs = global_icvs();
  uint64_t us = ticks_per_us();
  worth_a_steal.store(4 * us, relaxed);
  auto in_ticks = [us](uint64_t count, uint64_t per_us) {
    return count < SpinLimits::kForever / us ? count * us / per_us : SpinLimits::kForever;
  };
  if (known_processors.count() == 1) {
    spin_limits.set(0, 0);
  } else if (icvs.block_time_ns != kSpinUnset) {
    const uint64_t most = in_ticks(icvs.block_time_ns, 1000);
    spin_limits.set(most, most);
  } else if (icvs.spin_count != kSpinUnset) {
    // A round of the spin is taken as 10 ns.
    const uint64_t most = in_ticks(icvs.spin_count, 100);
    spin_limits.set(most, most);
  } else if (icvs.wait_policy == WaitPolicy::Active) {
    spin_limits.set(1'000'000 * us, 1'000'000 * us);
  } else if (icvs.wait_policy == WaitPolicy::Passive) {
    spin_limits.set(0, 0);
  } else {
    // A futex wake, up to the moment when the thread runs, takes 5 to 150 us on the machines
    // measured, and costs the two processors some 60 us. So if a program computes in the gaps
    // between its regions, spinning through a gap of 100 us takes about 1.2 times the processor
    // time of a wake-up, and spinning through one of 200 us takes 1.5 times.
    spin_limits.set(us, 200 * us);
  }
}

}  // namespace bobbin
