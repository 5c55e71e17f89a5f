// SPDX-License-Identifier: Apache-2.0
#include "platform/clock.h"

namespace bobbin {
namespace {

uint64_t start_ticks;
uint64_t start_ns;
Atomic<uint64_t> rate{0};

// Long enough that the 30 ns a clock call may take is under a per cent of it.
constexpr uint64_t kShortestMeasureNs = 5'000;

}  // namespace

void init_clock() {
  start_ticks = ticks();
  start_ns = now_ns();
}

uint64_t ticks_per_us() {
  uint64_t known = rate.load(relaxed);
  if (known != 0) return known;
  uint64_t elapsed_ns;
  while ((elapsed_ns = now_ns() - start_ns) < kShortestMeasureNs) cpu_pause();
  uint64_t measured = (ticks() - start_ticks) * 1000 / elapsed_ns;
  if (measured == 0) measured = 1;
  rate.store(measured, relaxed);
  return measured;
}

uint64_t ticks_to_ns(uint64_t span) {
  const double ticks_passed = static_cast<double>(ticks() - start_ticks);
  return static_cast<uint64_t>(static_cast<double>(span) *
                               static_cast<double>(now_ns() - start_ns) / ticks_passed);
}

}  // namespace bobbin
