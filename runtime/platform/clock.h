// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <time.h>

#include <cstdint>

#include "platform/atomic.h"

// Two clocks: `ticks()` for spin budgets and preemption gaps (the cycle counter, a few ns, never
// used to order events on different processors), and `now_ns()` for everything that is told.
namespace bobbin {

inline uint64_t ticks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t value;
  asm volatile("mrs %0, cntvct_el0" : "=r"(value));
  return value;
#else
#error "no cycle counter known for this processor"
#endif
}

inline uint64_t now_ns() {
  timespec ts;
  clock_gettime(CLOCK_MONOTONIC, &ts);
  return static_cast<uint64_t>(ts.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(ts.tv_nsec);
}

// Ticks in a microsecond, measured between start-up and the first question.
uint64_t ticks_per_us();

// Remembers where both clocks stood at start-up.
void init_clock();

}  // namespace bobbin
