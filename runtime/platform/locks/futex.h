// SPDX-License-Identifier: Apache-2.0
// Wait and wake on a 32-bit word, by raw system call. errno belongs to the program whose OpenMP
// construct waits here, and a wait must not change it.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>

#include <cstdint>

#include "platform/atomic.h"
#include "platform/raw_syscall.h"

namespace bobbin {

enum class FutexResult {
  Woken,    // by futex_wake, or spuriously: look at the word again
  Changed,  // the word did not hold the expected value
  TimedOut,
  Interrupted,  // by a signal handler
};

inline constexpr std::uint64_t kNoTimeout = ~std::uint64_t{0};

#if defined(BOBBIN_MODEL)

inline FutexResult futex_wait(Atomic<std::uint32_t>& word, std::uint32_t expected,
                              std::uint64_t timeout_ns = kNoTimeout,
                              model::Where where = model::Where::current()) {
  switch (model::futex_wait(word, expected, timeout_ns != kNoTimeout, where)) {
    case model::WaitResult::Changed:
      return FutexResult::Changed;
    case model::WaitResult::TimedOut:
      return FutexResult::TimedOut;
    case model::WaitResult::Woken:
      break;
  }
  return FutexResult::Woken;
}

inline int futex_wake(Atomic<std::uint32_t>& word, int count,
                      model::Where where = model::Where::current()) {
  return model::futex_wake(word, count, where);
}

#else

inline long raw_futex(void* word, int op, std::uint32_t value, const timespec* timeout) {
  return raw_syscall(SYS_futex, reinterpret_cast<long>(word), op, value,
                     reinterpret_cast<long>(timeout));
}

// Sleeps while `word` holds `expected`, for at most `timeout_ns` (relative, CLOCK_MONOTONIC). The
// kernel compares the word and queues the sleeper in one step with respect to futex_wake. So the
// wake is never missed if the waker changes the word first and calls futex_wake() afterwards.
inline FutexResult futex_wait(Atomic<std::uint32_t>& word, std::uint32_t expected,
                              std::uint64_t timeout_ns = kNoTimeout) {
  timespec limit{};
  const timespec* timeout = nullptr;
  if (timeout_ns != kNoTimeout) {
    limit.tv_sec = static_cast<time_t>(timeout_ns / 1'000'000'000u);
    limit.tv_nsec = static_cast<long>(timeout_ns % 1'000'000'000u);
    timeout = &limit;
  }
  // EAGAIN 11, EINTR 4, ETIMEDOUT 110. <cerrno> is not included, so that nothing here can change
  // errno.
  switch (raw_futex(&word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, expected, timeout)) {
    case -11:
      return FutexResult::Changed;
    case -110:
      return FutexResult::TimedOut;
    case -4:
      return FutexResult::Interrupted;
    case 0:
      return FutexResult::Woken;
    default:
      // A filter of system calls refuses futex. The caller looks at the word until it changes.
      raw_syscall(SYS_sched_yield, 0, 0, 0);
      return FutexResult::Woken;
  }
}

// Wakes up to `count` sleepers; returns how many it woke.
inline int futex_wake(Atomic<std::uint32_t>& word, int count) {
  long woken =
      raw_futex(&word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, static_cast<std::uint32_t>(count), nullptr);
  return woken > 0 ? static_cast<int>(woken) : 0;
}

#endif

}  // namespace bobbin
