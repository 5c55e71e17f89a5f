// SPDX-License-Identifier: Apache-2.0
#include "abi/kernel_state.h"

#include <linux/io_uring.h>
#include <linux/ioprio.h>
#include <linux/keyctl.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

namespace bobbin {
namespace {

constexpr Taken kNothing{};
constexpr Taken kStays{true, Hold::Stay};
constexpr Taken kAlone{true, Hold::Alone};
constexpr Taken kHandsDown{true, Hold::HandDown};

Taken when(bool condition, Taken taken) { return condition ? taken : kNothing; }

// Newer than the headers of some supported systems.
constexpr long kLandlockRestrictSelf = 446;
constexpr unsigned kSingleIssuer = 1u << 12;

Taken taken_by_key(long operation, long first) {
  if (operation == KEYCTL_JOIN_SESSION_KEYRING || operation == KEYCTL_SET_REQKEY_KEYRING)
    return kHandsDown;
  return when(static_cast<int>(first) == KEY_SPEC_THREAD_KEYRING, kStays);
}

bool wants_one_issuer(const io_uring_params* ring) {
  return ring != nullptr && (ring->flags & kSingleIssuer) != 0;
}

}  // namespace

Taken taken_by_prctl(long option) {
  switch (option) {
    case PR_SET_NO_NEW_PRIVS:
    case PR_SET_SECCOMP:
    case PR_SET_KEEPCAPS:
    case PR_SET_SECUREBITS:
    case PR_CAPBSET_DROP:
    case PR_CAP_AMBIENT:
    case PR_SET_TIMERSLACK:
    case PR_SET_SPECULATION_CTRL:
    case PR_SET_IO_FLUSHER:
    case PR_SCHED_CORE:
    case PR_SET_TSC:
    case PR_MCE_KILL:
    case PR_SVE_SET_VL:
    case PR_SET_TAGGED_ADDR_CTRL:
    case PR_PAC_RESET_KEYS:
    case PR_PAC_SET_ENABLED_KEYS:
      return kHandsDown;
    case PR_SET_SYSCALL_USER_DISPATCH:
    case PR_SET_PDEATHSIG:
      return kAlone;
    default:
      return kNothing;
  }
}

bool may_take(long number) {
  switch (number) {
    case SYS_setfsuid:
    case SYS_setfsgid:
    case SYS_setuid:
    case SYS_setgid:
    case SYS_setreuid:
    case SYS_setregid:
    case SYS_setresuid:
    case SYS_setresgid:
    case SYS_setgroups:
    case SYS_capset:
    case SYS_unshare:
    case SYS_setns:
    case kLandlockRestrictSelf:
    case SYS_set_mempolicy:
    case SYS_seccomp:
    case SYS_personality:
    case SYS_sigaltstack:
    case SYS_set_robust_list:
    case SYS_ptrace:
    case SYS_prctl:
    case SYS_setpriority:
    case SYS_ioprio_set:
    case SYS_sched_setscheduler:
    case SYS_sched_setparam:
    case SYS_sched_setattr:
    case SYS_clock_gettime:
    case SYS_getrusage:
    case SYS_timer_create:
    case SYS_perf_event_open:
    case SYS_io_uring_setup:
    case SYS_keyctl:
    case SYS_add_key:
#ifdef SYS_arch_prctl
    case SYS_arch_prctl:
    case SYS_iopl:
    case SYS_ioperm:
#endif
      return true;
    default:
      return false;
  }
}

Taken taken_by_syscall(long number, const long (&arguments)[6], long thread) {
  const auto names_caller = [&](long id) {
    return static_cast<int>(id) == 0 || static_cast<int>(id) == thread;
  };
  const auto first = static_cast<int>(arguments[0]);
  switch (number) {
    case SYS_sigaltstack:
    case SYS_set_robust_list:
    case SYS_ptrace:
      return kStays;
    case SYS_prctl:
      return taken_by_prctl(arguments[0]);
    case SYS_seccomp:
      return when((arguments[1] & SECCOMP_FILTER_FLAG_TSYNC) == 0, kHandsDown);
    case SYS_personality:
      return when(arguments[0] != 0xffffffff, kHandsDown);
    case SYS_setpriority:
      return when(first == PRIO_PROCESS && names_caller(arguments[1]), kHandsDown);
    case SYS_ioprio_set:
      return when(first == IOPRIO_WHO_PROCESS && names_caller(arguments[1]), kHandsDown);
    case SYS_sched_setscheduler:
    case SYS_sched_setparam:
    case SYS_sched_setattr:
      return when(names_caller(arguments[0]), kHandsDown);
    case SYS_clock_gettime:
      return when(first == CLOCK_THREAD_CPUTIME_ID, kAlone);
    case SYS_getrusage:
      return when(first == RUSAGE_THREAD, kAlone);
    case SYS_timer_create: {
      const auto* event = reinterpret_cast<const sigevent*>(arguments[1]);
      const bool tells_thread = event != nullptr && event->sigev_notify == SIGEV_THREAD_ID;
      return when(tells_thread || first == CLOCK_THREAD_CPUTIME_ID, kAlone);
    }
    case SYS_perf_event_open:
      return when(names_caller(arguments[1]), kAlone);
    case SYS_io_uring_setup:
      return when(wants_one_issuer(reinterpret_cast<const io_uring_params*>(arguments[1])), kStays);
    case SYS_keyctl:
      return taken_by_key(arguments[0], arguments[1]);
    case SYS_add_key:
      return when(static_cast<int>(arguments[4]) == KEY_SPEC_THREAD_KEYRING, kStays);
#ifdef SYS_arch_prctl
    case SYS_arch_prctl:
      return when(first == 0x1001, kAlone);  // ARCH_SET_GS
#endif
    default:
      return when(may_take(number), kHandsDown);
  }
}

int naming_argument(long number) {
  switch (number) {
    case SYS_sched_setscheduler:
    case SYS_sched_setparam:
    case SYS_sched_setattr:
      return 0;
    case SYS_setpriority:
    case SYS_ioprio_set:
    case SYS_perf_event_open:
      return 1;
    default:
      return -1;
  }
}

}  // namespace bobbin
