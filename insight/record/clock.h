// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <time.h>

#include "insight/record/layout.h"
#include "platform/clocks/clock.h"  // ticks()

namespace bobbin::insight {

// The readings are as close together as a thread can make them.
inline Moment moment() {
  Moment best;
  uint64_t least = ~uint64_t{0};
  constexpr int kReadings = 3;
  for (int i = 0; i < kReadings; i++) {
    timespec now{};
    const uint64_t before = ticks();
    clock_gettime(CLOCK_MONOTONIC, &now);
    const uint64_t apart = ticks() - before;
    if (apart >= least) continue;
    least = apart;
    best.ticks = before + apart / 2;
    best.ns =
        static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
  }
  return best;
}

// The processor time that the process has used, in nanoseconds.
inline uint64_t processor_ns() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<uint64_t>(used.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(used.tv_nsec);
}

}  // namespace bobbin::insight
