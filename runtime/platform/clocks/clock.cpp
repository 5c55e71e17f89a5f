// SPDX-License-Identifier: Apache-2.0
#include "platform/clocks/clock.h"

#include "platform/keep_errno.h"

namespace bobbin {

constinit ClockReading clocks_at_start{};

namespace {

ClockReading at_late_question;  // written by the thread that claimed it, before it is published
Atomic<bool> late_question_claimed{false};
Atomic<const ClockReading*> since{
    &clocks_at_start};  // start of rate measurement (release, acquire)

Relaxed<uint64_t> in_us = 0;  // ticks; 0: not known yet

// A system call may take 250 ns, and the clock is read somewhere in the middle of it. Over this
// time that is only a few per cent.
constexpr uint64_t kShortestMeasureNs = 5'000;
constexpr int kReadings = 3;

// A thread that loses its processor between the two readings takes them milliseconds apart. Such a
// pair would spoil the rate for the life of the process. So the quickest of a few pairs is taken.
ClockReading read_both() {
  ClockReading best{};
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

// Starts a new measurement, because start-up is too long ago to tell the rate.
ClockReading begin_afresh() {
  const ClockReading now = read_both();
  if (!late_question_claimed.exchange(true, relaxed)) {
    at_late_question = now;
    since.store(&at_late_question, release);
  }
  return now;
}

uint64_t measure() {
  ClockReading from = *since.load(acquire);
  if (!tells_rate(from, read_both())) from = begin_afresh();
  while (now_ns() - from.ns < kShortestMeasureNs) cpu_pause();
  const ClockReading now = read_both();
  if (!tells_rate(from, now) || now.ns == from.ns) return 0;
  return ticks_in(1000, from, now);
}

}  // namespace

// Uses the code that the kernel maps into the process. If that fails, it returns a clock that
// advances, but at a wrong rate.
uint64_t clock_ns_without_kernel(clockid_t clock) {
  const KeepErrno keep_errno;
  timespec ts;
  if (clock_gettime(clock, &ts) != 0) return ticks();
  return static_cast<uint64_t>(ts.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(ts.tv_nsec);
}

void init_clock() { clocks_at_start = read_both(); }

uint64_t ticks_per_us() {
  uint64_t known = in_us;
  if (known != 0) return known;
  known = measure();
  if (known == 0) known = 1;
  in_us = known;
  return known;
}

}  // namespace bobbin
