// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "abi/c_library.h"
#include "abi/export.h"
#include "sched/signals/in_handler.h"
#include "sched/workers/pool.h"
#include "team/model/thread.h"

// Calls that only sleep for a time are scheduling points.

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

using namespace bobbin;

namespace {

// A handler may have interrupted its thread while that thread holds the lock of the board that is
// read here.
bool others_wait_here() {
  const Thread* thread = tls_thread;
  return thread != nullptr && provider.threads_move && !in_signal_handler(*thread) &&
         has_other_work(*thread->worker);
}

constexpr long kNsPerSecond = 1'000'000'000;

// The C library rejects all other values.
bool is_duration(const timespec* time) {
  return time != nullptr && time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < kNsPerSecond;
}

timespec difference(const timespec& from, const timespec& subtracted) {
  timespec rest{from.tv_sec - subtracted.tv_sec, from.tv_nsec - subtracted.tv_nsec};
  if (rest.tv_nsec < 0) {
    rest.tv_nsec += kNsPerSecond;
    rest.tv_sec--;
  }
  return rest;
}

// What remains of a time that began at `begin`.
timespec rest_since(const timespec& begin, clockid_t clock, const timespec& wanted) {
  timespec now;
  clock_gettime(clock, &now);
  const timespec rest = difference(wanted, difference(now, begin));
  return rest.tv_sec < 0 ? timespec{} : rest;
}

// Lets others run first. False: there are none.
bool yield_first() { return others_wait_here() && yield(*tls_thread); }

}  // namespace

// Programs that wait for another thread of their team yield in a loop; OpenBLAS does. The other
// thread may be a fiber of the same worker, or may not have begun.
BOBBIN_ENTRY int sched_yield() {
  Thread* thread = tls_thread;
  if (thread != nullptr && !in_signal_handler(*thread)) {
    yield_to_all(*thread);
  } else {
    syscall(SYS_sched_yield);
  }
  return 0;
}

// Programs that poll sleep between two checks. The thread that they wait for may be a fiber of the
// same worker, so it runs first; the rest of the time is slept as usual. These functions are
// cancellation points, so cancelled threads are unwound through them.
BOBBIN_NATIVE_ENTRY int clock_nanosleep(clockid_t clock, int flags, const timespec* wanted,
                                        timespec* left) {
  const bool relative = (flags & TIMER_ABSTIME) == 0;
  timespec begin{};
  if (!is_duration(wanted) || clock_gettime(clock, &begin) != 0) {
    return c_library().sleep(clock, flags, wanted, left);
  }
  timespec rest = *wanted;
  const uint32_t handled = tls_thread != nullptr ? tls_thread->handled : 0;
  if (yield_first()) {
    if (relative) rest = rest_since(begin, clock, *wanted);
    if (tls_thread->handled != handled) {
      if (relative && left != nullptr) *left = rest;
      return EINTR;
    }
    if (relative && rest.tv_sec == 0 && rest.tv_nsec == 0) return 0;
  }
  // With a place for the remaining time a sleep that a nudge interrupts lasts for that time only
  // (platform/signals/failed_call.h).
  timespec unwanted;
  return c_library().sleep(clock, flags, &rest, left != nullptr ? left : &unwanted);
}

BOBBIN_NATIVE_ENTRY int nanosleep(const timespec* wanted, timespec* left) {
  const int error = clock_nanosleep(CLOCK_MONOTONIC, 0, wanted, left);
  if (error != 0) errno = error;
  return error == 0 ? 0 : -1;
}

BOBBIN_NATIVE_ENTRY int usleep(useconds_t microseconds) {
  const timespec wanted{microseconds / 1'000'000, microseconds % 1'000'000 * 1000L};
  return nanosleep(&wanted, nullptr);
}

BOBBIN_NATIVE_ENTRY unsigned sleep(unsigned seconds) {
  timespec left{static_cast<time_t>(seconds), 0};
  return nanosleep(&left, &left) == 0 ? 0 : static_cast<unsigned>(left.tv_sec);
}

// C11's names for the same functions. The C library's own versions call the functions above by
// names that cannot be interposed.
BOBBIN_NATIVE_ENTRY void thrd_yield() { sched_yield(); }

BOBBIN_NATIVE_ENTRY int thrd_sleep(const timespec* wanted, timespec* left) {
  constexpr int kInterrupted = -1;
  constexpr int kRefused = -2;
  const int error = clock_nanosleep(CLOCK_REALTIME, 0, wanted, left);
  if (error == 0) return 0;
  return error == EINTR ? kInterrupted : kRefused;
}

#endif
