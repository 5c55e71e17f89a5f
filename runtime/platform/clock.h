// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/syscall.h>
#include <time.h>

#include <cstdint>

#include "platform/atomic.h"
#include "platform/raw_syscall.h"

// Two clocks: `ticks()` for spin budgets and preemption gaps (the cycle counter, a few ns, never
// used to order events on different processors), and `now_ns()` for everything that is told.
namespace bobbin {

inline uint64_t ticks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  // It counts every 1 to 42 ns. In parts of that, means of brief times are not lost in rounding.
  uint64_t value;
  asm volatile("mrs %0, cntvct_el0" : "=r"(value));
  return value << 6;
#else
#error "no cycle counter known for this processor"
#endif
}

// Where a filter of system calls forbids to ask the kernel.
uint64_t clock_ns_without_kernel(clockid_t clock);

// By a system call: a library may have the program see a clock that runs otherwise, or stands still
// (libfaketime).
inline uint64_t clock_ns(clockid_t clock) {
  timespec ts{};
  if (raw_syscall(SYS_clock_gettime, clock, reinterpret_cast<long>(&ts), 0) != 0) [[unlikely]]
    return clock_ns_without_kernel(clock);
  return static_cast<uint64_t>(ts.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(ts.tv_nsec);
}

inline uint64_t now_ns() { return clock_ns(CLOCK_MONOTONIC); }

// That the calling kernel thread has run.
inline uint64_t thread_cpu_ns() { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }

// Ticks in a microsecond, measured between start-up and the first question; if that comes later
// than a minute after, over some microseconds.
uint64_t ticks_per_us();

// For spans below a millisecond.
inline uint64_t ns_to_ticks(uint64_t ns) { return ns * ticks_per_us() / 1000; }

// A span of time, for the kernel. Of more than a millisecond the 5 us over which ticks_per_us() may
// have been measured would tell too little, hence by the time since start-up, of which the first
// minute counts.
uint64_t ticks_to_ns(uint64_t span);

// Remembers where both clocks stood at start-up.
void init_clock();

}  // namespace bobbin
