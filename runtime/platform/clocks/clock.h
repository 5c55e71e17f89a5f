// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/syscall.h>
#include <time.h>

#include <cstdint>

#include "platform/atomic.h"
#include "platform/clocks/clock_rate.h"
#include "platform/raw_syscall.h"

// Two clocks. `ticks()` is the cycle counter, for spin budgets and preemption gaps: it costs a few
// ns and is never used to order events on different processors. `now_ns()` is for all times that
// are reported.
namespace bobbin {

inline uint64_t ticks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  // The counter advances every 1 to 42 ns. The value is scaled by 64, so that means of short times
  // are not lost in rounding.
  uint64_t value;
  asm volatile("mrs %0, cntvct_el0" : "=r"(value));
  return value << 6;
#else
#error "no cycle counter known for this processor"
#endif
}

// For the case that a filter of system calls forbids the system call.
uint64_t clock_ns_without_kernel(clockid_t clock);

// Makes the system call itself, because a library may give the program a clock that runs at another
// rate or stands still (libfaketime).
inline uint64_t clock_ns(clockid_t clock) {
  timespec ts{};
  if (raw_syscall(SYS_clock_gettime, clock, reinterpret_cast<long>(&ts), 0) != 0) [[unlikely]]
    return clock_ns_without_kernel(clock);
  return static_cast<uint64_t>(ts.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(ts.tv_nsec);
}

inline uint64_t now_ns() { return clock_ns(CLOCK_MONOTONIC); }

// Ticks in a microsecond. The rate is measured from start-up to the first call. If the first call
// comes more than a minute after start-up, the rate is measured over some microseconds.
uint64_t ticks_per_us();

// For spans below a millisecond.
inline uint64_t ns_to_ticks(uint64_t ns) { return ns * ticks_per_us() / 1000; }

// Remembers where both clocks stood at start-up.
void init_clock();
extern ClockReading clocks_at_start;  // constant after that

}  // namespace bobbin
