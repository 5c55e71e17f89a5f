// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "abi/c_library.h"
#include "abi/export.h"
#include "fiber/specific.h"
#include "fiber/stack.h"
#include "fiber/tls_block.h"
#include "platform/diagnostics.h"
#include "platform/signal_handler.h"
#include "sched/pool.h"
#include "team/thread.h"

// Functions of the C library that mean the calling kernel thread where an OpenMP thread means
// itself (others: interpose_affinity.cpp). They are in effect where Bobbin comes before the C
// library in the search order: preloaded, or linked by the program itself.
//
// The thread id in a fiber's control block names no kernel thread (fiber/tls_block.cpp). To the
// kernel, zero names the calling one.

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

using namespace bobbin;

namespace {

// A handler may have interrupted its thread where that holds the lock of the board which is looked
// at here.
bool others_wait_here() {
  const Thread* thread = tls_thread;
  return thread != nullptr && !kernel_provider && !may_be_signal_handler() &&
         has_other_work(*thread->worker);
}

constexpr long kNsPerSecond = 1'000'000'000;

// Others are the C library's to refuse.
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

OnceFlag said_not_delivered;

// Signal 0 asks only whether the thread is there.
int not_delivered(int signal) {
  if (signal == 0) return 0;
  warn_once(said_not_delivered,
            "signal %d to an OpenMP thread is not delivered, for the thread is a fiber; "
            "with BOBBIN_PROVIDER=kernel it would be",
            signal);
  return ESRCH;
}

// As these functions return it: the error number, 0 for success.
int error_of(long result) { return result < 0 ? errno : 0; }

}  // namespace

// Programs that wait for another thread of their team yield in a loop; OpenBLAS does. The other one
// may be a fiber of the same worker, or not have begun.
BOBBIN_ENTRY int sched_yield() {
  Thread* thread = tls_thread;
  if (thread != nullptr && !may_be_signal_handler()) {
    yield_to_all(*thread);
  } else {
    syscall(SYS_sched_yield);
  }
  return 0;
}

// Programs that poll sleep between two looks. What they wait for may be in a fiber of the same
// worker, so that one has its turn first; the rest of the time is slept as ever. These are
// cancellation points, so cancelled threads are unwound through them.
BOBBIN_NATIVE_ENTRY int clock_nanosleep(clockid_t clock, int flags, const timespec* wanted,
                                        timespec* left) {
  timespec begin{};
  timespec end{};
  const bool has_run_others = is_duration(wanted) && others_wait_here() &&
                              clock_gettime(clock, &begin) == 0 && yield(*tls_thread);
  if (!has_run_others || (flags & TIMER_ABSTIME) != 0) {
    return c_library().sleep(clock, flags, wanted, left);
  }
  clock_gettime(clock, &end);
  const timespec rest = difference(*wanted, difference(end, begin));
  return rest.tv_sec < 0 ? 0 : c_library().sleep(clock, flags, &rest, left);
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

BOBBIN_ENTRY int pthread_getschedparam(pthread_t thread, int* policy, sched_param* param) {
  if (!is_fiber(thread)) {
    return c_library().getschedparam(thread, policy, param);
  }
  long now = syscall(SYS_sched_getscheduler, 0);
  if (now < 0) return errno;
  *policy = static_cast<int>(now);
  return error_of(syscall(SYS_sched_getparam, 0, param));
}

BOBBIN_ENTRY int pthread_setschedparam(pthread_t thread, int policy, const sched_param* param) {
  if (is_fiber(thread)) return error_of(syscall(SYS_sched_setscheduler, 0, policy, param));
  return c_library().setschedparam(thread, policy, param);
}

BOBBIN_ENTRY int pthread_setschedprio(pthread_t thread, int priority) {
  if (!is_fiber(thread)) return c_library().setschedprio(thread, priority);
  sched_param param{};
  param.sched_priority = priority;
  return error_of(syscall(SYS_sched_setparam, 0, &param));
}

// Not from a handler, whose own signal is blocked only until it returns.
BOBBIN_ENTRY int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) {
  const Thread* thread = tls_thread;
  if (set != nullptr && thread != nullptr && !kernel_provider) {
    Worker& worker = *thread->worker;
    const bool its_own = thread->home == &worker;
    if (worker.kind == WorkerKind::Root && worker.mask.lent() == its_own &&
        !may_be_signal_handler()) {
      its_own ? worker.mask.take_back() : worker.mask.lend();
    }
  }
  return c_library().set_mask(how, set, before);
}

BOBBIN_ENTRY int sigprocmask(int how, const sigset_t* set, sigset_t* before) {
  const int error = pthread_sigmask(how, set, before);
  if (error != 0) errno = error;
  return error == 0 ? 0 : -1;
}

// To itself, the C library's own sees to it. To another fiber: it may be suspended, and where it
// runs it may not when the signal arrives.
BOBBIN_ENTRY int pthread_kill(pthread_t thread, int signal) {
  const int error = c_library().kill(thread, signal);
  return error == ESRCH && names_fiber(thread) ? not_delivered(signal) : error;
}

BOBBIN_ENTRY int pthread_sigqueue(pthread_t thread, int signal, const sigval value) {
  if (!is_fiber(thread)) {
    const int error = c_library().sigqueue(thread, signal, value);
    return error == ESRCH && names_fiber(thread) ? not_delivered(signal) : error;
  }
  siginfo_t info{};
  info.si_signo = signal;
  info.si_code = SI_QUEUE;
  info.si_pid = getpid();
  info.si_uid = getuid();
  info.si_value = value;
  return error_of(syscall(SYS_rt_tgsigqueueinfo, info.si_pid, syscall(SYS_gettid), signal, &info));
}

BOBBIN_ENTRY int pthread_getcpuclockid(pthread_t thread, clockid_t* clock) {
  if (!is_fiber(thread)) {
    return c_library().getcpuclockid(thread, clock);
  }
  *clock = CLOCK_THREAD_CPUTIME_ID;
  return 0;
}

BOBBIN_ENTRY pid_t pthread_gettid_np(pthread_t thread) {
  if (thread == pthread_self()) return static_cast<pid_t>(syscall(SYS_gettid));
  const pid_t id = c_library().gettid != nullptr ? c_library().gettid(thread) : -1;
  // Which kernel thread another fiber is on, if any, may change at once.
  return is_fiber_id(id) ? -1 : id;
}

// Garbage collectors and language runtimes ask where the stack is that they run on. The C library
// takes a thread without a stack of its own making for the initial one. A root, too, is on one of
// the fibers' stacks where recursion was deep.
BOBBIN_ENTRY int pthread_getattr_np(pthread_t thread, pthread_attr_t* attributes) {
  const bool self = thread == pthread_self();
  const Stack* stack = self ? stack_with(__builtin_frame_address(0)) : nullptr;
  if (stack == nullptr) {
    return c_library().getattr(thread, attributes);
  }
  pthread_attr_init(attributes);
  pthread_attr_setguardsize(attributes, static_cast<size_t>(stack->limit() - stack->mapping));
  auto size = static_cast<size_t>(stack->mapping + stack->size - stack->limit());
  return pthread_attr_setstack(attributes, stack->limit(), size);
}

// OpenMP threads end with their root, without a kernel thread ending.
BOBBIN_ENTRY int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  int result = c_library().key_create(key, destructor);
  if (result == 0) note_key(*key, destructor);
  return result;
}

BOBBIN_ENTRY int pthread_key_delete(pthread_key_t key) {
  note_key(key, nullptr);
  return c_library().key_delete(key);
}

// C11's names for the same. The C library's own call what is above by names that cannot be
// interposed.
BOBBIN_NATIVE_ENTRY void thrd_yield() { sched_yield(); }

BOBBIN_NATIVE_ENTRY int thrd_sleep(const timespec* wanted, timespec* left) {
  constexpr int kInterrupted = -1;
  constexpr int kRefused = -2;
  const int error = clock_nanosleep(CLOCK_REALTIME, 0, wanted, left);
  if (error == 0) return 0;
  return error == EINTR ? kInterrupted : kRefused;
}

BOBBIN_NATIVE_ENTRY int tss_create(tss_t* key, tss_dtor_t destructor) {
  return pthread_key_create(key, destructor) == 0 ? thrd_success : thrd_error;
}

BOBBIN_NATIVE_ENTRY void tss_delete(tss_t key) { pthread_key_delete(key); }

// A library that is loaded later may take the place of one that is gone, TLS and all.
BOBBIN_ENTRY int dlclose(void* handle) {
  int result = c_library().close(handle);
  if (!kernel_provider) note_unloaded_libraries();
  return result;
}

// The kernel looks the owner of a priority-inheriting mutex up by its id, and the C library hands
// it the id to raise the owner of one with a ceiling, so that a fiber can own neither. Among
// fibers, which have no priorities, they are ordinary mutexes.
BOBBIN_ENTRY int pthread_mutexattr_setprotocol(pthread_mutexattr_t* attributes, int protocol) {
  const bool known = protocol == PTHREAD_PRIO_INHERIT || protocol == PTHREAD_PRIO_PROTECT;
  if (known && !kernel_provider) protocol = PTHREAD_PRIO_NONE;
  return c_library().setprotocol(attributes, protocol);
}

#endif
