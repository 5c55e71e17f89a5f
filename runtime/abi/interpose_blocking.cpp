// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "abi/c_library.h"
#include "abi/export.h"
#include "platform/clock.h"
#include "sched/pool.h"
#include "sched/signals.h"
#include "team/thread.h"

// Calls that sleep. Those that only sleep for a time are scheduling points. All others are the C
// library's, except for one thing: the kernel ends them with EINTR after any signal handler, also
// after one that was not the calling thread's. They are then repeated, for the rest of their time.

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

// Records which signal handlers have interrupted the calling thread since construction.
class Interruptions {
 public:
  Interruptions() : thread_(provider.threads_move ? tls_thread : nullptr) {
    if (thread_ == nullptr) return;
    handled_ = thread_->handled;
    interrupted_ = thread_->interrupted;
  }

  bool handled() const { return thread_ != nullptr && thread_->handled != handled_; }

  // True: EINTR was for another thread. It is reported once for each interruption.
  bool none_of_its_own() {
    if (thread_ == nullptr || handled() || thread_->interrupted == interrupted_) return false;
    interrupted_ = thread_->interrupted;
    return true;
  }

 private:
  const Thread* thread_;
  uint32_t handled_ = 0;
  uint32_t interrupted_ = 0;
};

// `call` returns -1 and sets errno.
template <class Call>
auto begin_again(Call call) {
  Interruptions since;
  for (;;) {
    const auto result = call();
    if (result != -1 || errno != EINTR || !since.none_of_its_own()) return result;
  }
}

// The rest of a time limit.
class TimeLeft {
 public:
  explicit TimeLeft(const timespec* limit) : limited_(is_duration(limit)) {
    if (limited_) {
      total_ = *limit;
      clock_gettime(CLOCK_MONOTONIC, &begin_);
    }
  }

  timespec left() const {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const timespec rest = difference(total_, difference(now, begin_));
    return rest.tv_sec < 0 ? timespec{} : rest;
  }

  bool limited() const { return limited_; }

 private:
  bool limited_;
  timespec total_{};
  timespec begin_{};
};

timespec of_milliseconds(int milliseconds) {
  return {milliseconds / 1000, milliseconds % 1000 * 1'000'000L};
}

// Rounded up, because a limit must not end too early.
int to_milliseconds(const timespec& time) {
  return static_cast<int>(time.tv_sec * 1000 + (time.tv_nsec + 999'999) / 1'000'000);
}

// `call(milliseconds)`: a negative number means no limit.
template <class Call>
int begin_again_for(int milliseconds, Call call) {
  const timespec wanted = of_milliseconds(milliseconds < 0 ? 0 : milliseconds);
  const TimeLeft time(milliseconds > 0 ? &wanted : nullptr);
  bool first = true;
  return begin_again([&] {
    const int limit = first || !time.limited() ? milliseconds : to_milliseconds(time.left());
    first = false;
    return call(limit);
  });
}

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
  Interruptions since;
  timespec begin{};
  if (!is_duration(wanted) || clock_gettime(clock, &begin) != 0) {
    return c_library().sleep(clock, flags, wanted, left);
  }
  bool first = true;
  if (others_wait_here()) first = !yield(*tls_thread);
  for (;; first = false) {
    timespec rest = *wanted;
    if (relative && !first) {
      timespec now;
      clock_gettime(clock, &now);
      rest = difference(*wanted, difference(now, begin));
      if (rest.tv_sec < 0) rest = timespec{};
    }
    if (since.handled()) {
      if (relative && left != nullptr) *left = rest;
      return EINTR;
    }
    if (!first && relative && rest.tv_sec == 0 && rest.tv_nsec == 0) return 0;
    const int error = c_library().sleep(clock, flags, &rest, left);
    if (error != EINTR || !since.none_of_its_own()) return error;
  }
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

BOBBIN_NATIVE_ENTRY int pause() {
  return begin_again([] { return c_library().pause(); });
}

BOBBIN_NATIVE_ENTRY int poll(pollfd* files, nfds_t count, int milliseconds) {
  return begin_again_for(milliseconds,
                         [=](int limit) { return c_library().poll(files, count, limit); });
}

BOBBIN_NATIVE_ENTRY int ppoll(pollfd* files, nfds_t count, const timespec* limit,
                              const sigset_t* mask) {
  const TimeLeft time(limit);
  return begin_again([=, first = true]() mutable {
    const timespec rest = first || !time.limited() ? timespec{} : time.left();
    const timespec* now = first || !time.limited() ? limit : &rest;
    first = false;
    return c_library().ppoll(files, count, now, mask);
  });
}

// If these functions fail, the sets are unchanged.
BOBBIN_NATIVE_ENTRY int select(int count, fd_set* reading, fd_set* writing, fd_set* exceptions,
                               timeval* limit) {
  // Linux stores the remaining time in it, also when the call is interrupted.
  return begin_again(
      [=] { return c_library().select(count, reading, writing, exceptions, limit); });
}

BOBBIN_NATIVE_ENTRY int pselect(int count, fd_set* reading, fd_set* writing, fd_set* exceptions,
                                const timespec* limit, const sigset_t* mask) {
  const TimeLeft time(limit);
  return begin_again([=, first = true]() mutable {
    const timespec rest = first || !time.limited() ? timespec{} : time.left();
    const timespec* now = first || !time.limited() ? limit : &rest;
    first = false;
    return c_library().pselect(count, reading, writing, exceptions, now, mask);
  });
}

BOBBIN_NATIVE_ENTRY int epoll_wait(int epoll, epoll_event* events, int most, int milliseconds) {
  return begin_again_for(
      milliseconds, [=](int limit) { return c_library().epoll_wait(epoll, events, most, limit); });
}

BOBBIN_NATIVE_ENTRY int epoll_pwait(int epoll, epoll_event* events, int most, int milliseconds,
                                    const sigset_t* mask) {
  return begin_again_for(milliseconds, [=](int limit) {
    return c_library().epoll_pwait(epoll, events, most, limit, mask);
  });
}

// The limit is a point in time, so the rest need not be computed.
BOBBIN_NATIVE_ENTRY int sem_timedwait(sem_t* semaphore, const timespec* until) {
  return begin_again([=] { return c_library().sem_timedwait(semaphore, until); });
}

#endif
