// SPDX-License-Identifier: Apache-2.0
#include "platform/clock.h"

namespace bobbin {
namespace {

// What both clocks show.
struct Moment {
  uint64_t ticks;
  uint64_t ns;
};

Moment start;
Atomic<uint64_t> rate{0};

// Long enough that the 250 ns a system call may take, in the middle of which the clock is read, are
// but a few per cent of it.
constexpr uint64_t kShortestMeasureNs = 5'000;
constexpr int kReadings = 3;

// A thread that loses its processor between the two clocks reads them milliseconds apart, which
// would spoil the rate for the life of the process. The quickest of a few readings is undisturbed.
Moment read_both() {
  Moment best{};
  uint64_t least = ~uint64_t{0};
  for (int i = 0; i < kReadings; i++) {
    uint64_t before = ticks();
    uint64_t ns = now_ns();
    uint64_t apart = ticks() - before;
    if (apart >= least) continue;
    least = apart;
    best = {before + apart / 2, ns};
  }
  return best;
}

}  // namespace

void init_clock() { start = read_both(); }

uint64_t ticks_per_us() {
  uint64_t known = rate.load(relaxed);
  if (known != 0) return known;
  while (now_ns() - start.ns < kShortestMeasureNs) cpu_pause();
  Moment now = read_both();
  uint64_t measured = (now.ticks - start.ticks) * 1000 / (now.ns - start.ns);
  if (measured == 0) measured = 1;
  rate.store(measured, relaxed);
  return measured;
}

uint64_t ticks_to_ns(uint64_t span) {
  const Moment now = read_both();
  const double ns_a_tick =
      static_cast<double>(now.ns - start.ns) / static_cast<double>(now.ticks - start.ticks);
  return static_cast<uint64_t>(static_cast<double>(span) * ns_a_tick);
}

}  // namespace bobbin
