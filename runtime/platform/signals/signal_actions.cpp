// SPDX-License-Identifier: Apache-2.0
#include "platform/signals/signal_actions.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "platform/atomic.h"
#include "platform/locks/fork_lock.h"
#include "platform/locks/spinlock.h"
#include "platform/signals/nudge_data.h"
#include "platform/signals/signal_set.h"

// The C library's own function, by a name that is not interposed.
extern "C" int __sigaction(int signal, const struct sigaction* wanted, struct sigaction* before);

namespace bobbin {
namespace {

// Signal handlers read it while another thread may be writing it. The version is odd during a
// write. No handler interrupts the writer, because the writer has all signals blocked.
struct Known {
  Atomic<uint32_t> version{0};
  struct sigaction action = {};
};

Known known[kSignals + 1];
SpinLock lock;  // of the writer
Atomic<SignalRouter> router{nullptr};
Atomic<int> nudge_number{0};
Atomic<bool> unrouted_handler{false};
char nudge_mark;  // its address distinguishes nudges from signals of the program

// The kernel drops it by default, as the program expects.
constexpr int kBareNudge = SIGURG;
Atomic<bool> nudges_barely{false};  // its handler is installed, and stays so

class AllBlocked {
 public:
  AllBlocked() : before_(kernel_mask()) { set_kernel_mask(~SignalSet{0}); }
  ~AllBlocked() { set_kernel_mask(before_); }
  AllBlocked(const AllBlocked&) = delete;
  AllBlocked& operator=(const AllBlocked&) = delete;

 private:
  SignalSet before_;
};

void note(int signal, const struct sigaction& action) {
  Known& entry = known[signal];
  entry.version.store(entry.version.load(relaxed) + 1, relaxed);
  fence(release);
  entry.action = action;
  entry.version.store(entry.version.load(relaxed) + 1, release);
}

bool is_handler(const struct sigaction& action) {
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

bool tells_of_running_code(int signal) {
  switch (signal) {
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGTRAP:
    case SIGSYS:
    case SIGABRT:
    case SIGPROF:
    case SIGVTALRM:
      return true;
    default:
      return false;
  }
}

bool may_be_routed(int signal) {
  return signal > 0 && signal <= kSignals && signal != SIGKILL && signal != SIGSTOP &&
         !tells_of_running_code(signal) && signal != nudge_number.load(relaxed);
}

void on_signal(int signal, siginfo_t* info, void* context) {
  if (SignalRouter route = router.load(acquire)) {
    route(signal, info, context);
    return;
  }
  struct sigaction action;
  if (program_action(signal, action)) call_program_handler(action, signal, info, context);
}

bool is_ours(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == on_signal;
}

struct sigaction in_front_of(const struct sigaction& wanted) {
  struct sigaction action = wanted;
  action.sa_sigaction = on_signal;
  action.sa_flags |= SA_SIGINFO;
  if (const int reserved = nudge_number.load(relaxed)) sigdelset(&action.sa_mask, reserved);
  return action;
}

Atomic<pid_t> process{0};
void note_process() { process.store(getpid(), relaxed); }

// Such a child has the parent's memory, and signal actions of its own.
bool in_child_of_vfork() { return process.load(relaxed) != getpid(); }

// Replaces the runtime's handler, as the kernel reports it, by the program's handler.
void show_as_programs(int signal, struct sigaction& action) {
  if (!is_ours(action)) return;
  const int flags = action.sa_flags;
  program_action(signal, action);
  // The kernel's flags may be newer, for instance after siginterrupt().
  action.sa_flags = (flags & ~SA_SIGINFO) | (action.sa_flags & SA_SIGINFO);
}

void take_over(int signal) {
  struct sigaction present;
  if (__sigaction(signal, nullptr, &present) != 0 || !is_handler(present) || is_ours(present)) {
    return;
  }
  note(signal, present);
  const struct sigaction action = in_front_of(present);
  __sigaction(signal, &action, nullptr);
}

}  // namespace

bool program_action(int signal, struct sigaction& action) {
  Known& entry = known[signal];
  for (;;) {
    const uint32_t before = entry.version.load(acquire);
    action = entry.action;
    fence(acquire);
    if ((before & 1) == 0 && entry.version.load(relaxed) == before) return is_handler(action);
  }
}

int set_signal_action(int signal, const struct sigaction* wanted, struct sigaction* before) {
  if (!may_be_routed(signal)) {
    // The program may use the nudge's signal number, too. Its action is only stored here.
    if (signal != nudge_number.load(relaxed) || signal == 0) {
      if (wanted != nullptr && is_handler(*wanted)) unrouted_handler.store(true, relaxed);
      return __sigaction(signal, wanted, before);
    }
    const AllBlocked blocked;
    SpinGuard guard(lock);
    const struct sigaction present = known[signal].action;
    if (wanted != nullptr) note(signal, *wanted);
    if (before != nullptr) *before = present;
    return 0;
  }
  if (in_child_of_vfork()) {
    const int result = __sigaction(signal, wanted, before);
    if (result == 0 && before != nullptr) show_as_programs(signal, *before);
    return result;
  }
  const AllBlocked blocked;
  SpinGuard guard(lock);
  struct sigaction present;
  if (__sigaction(signal, nullptr, &present) != 0) return -1;
  show_as_programs(signal, present);
  if (wanted != nullptr) {
    const bool handles = is_handler(*wanted);
    const bool stays = signal == kBareNudge && nudges_barely.load(relaxed);
    if (handles || stays) note(signal, *wanted);
    const struct sigaction action = handles || stays ? in_front_of(*wanted) : *wanted;
    if (__sigaction(signal, &action, nullptr) != 0) return -1;
  }
  if (before != nullptr) *before = present;
  return 0;
}

bool has_handler(int signal) {
  struct sigaction present;
  return set_signal_action(signal, nullptr, &present) == 0 && is_handler(present);
}

void reset_if_wanted(const struct sigaction& action, int signal) {
  if ((action.sa_flags & static_cast<int>(SA_RESETHAND)) == 0) return;
  struct sigaction wanted = {};
  wanted.sa_handler = SIG_DFL;
  set_signal_action(signal, &wanted, nullptr);
}

void call_program_handler(const struct sigaction& action, int signal, siginfo_t* info,
                          void* context) {
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    action.sa_sigaction(signal, info, context);
  } else {
    action.sa_handler(signal);
  }
}

void route_signals(SignalRouter route) {
  router.store(route, release);
  const AllBlocked blocked;
  SpinGuard guard(lock);
  for (int signal = 1; signal <= kSignals; signal++) {
    if (may_be_routed(signal)) take_over(signal);
  }
}

int reserve_nudge(SignalRouter on_nudge) {
  // Higher numbers are used by valgrind and by JVMs.
  constexpr int kHighest = 59;
  for (int signal = kHighest; signal >= SIGRTMIN; signal--) {
    struct sigaction present;
    if (__sigaction(signal, nullptr, &present) != 0 || present.sa_handler != SIG_DFL) continue;
    struct sigaction action = {};
    action.sa_sigaction = on_nudge;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    if (__sigaction(signal, &action, nullptr) != 0) continue;
    nudge_number.store(signal, release);
    return signal;
  }
  return 0;
}

int nudge_signal() { return nudge_number.load(relaxed); }

SignalSet blockable(SignalSet set) {
  set &= ~(bit_of_signal(32) | bit_of_signal(33) | bit_of_signal(SIGKILL) | bit_of_signal(SIGSTOP));
  const int reserved = nudge_number.load(relaxed);
  return reserved != 0 ? set & ~bit_of_signal(reserved) : set;
}

bool had_unrouted_handler() { return unrouted_handler.load(relaxed); }

namespace {

long send_nudge(int signal, pid_t kernel_thread, const BlockedCall* call) {
  siginfo_t info = {};
  if (call != nullptr) put_nudge_data(info, *call);
  info.si_signo = signal;
  info.si_code = SI_QUEUE;
  info.si_pid = getpid();
  info.si_uid = getuid();
  info.si_value.sival_ptr = &nudge_mark;
  return raw_syscall(SYS_rt_tgsigqueueinfo, info.si_pid, kernel_thread, signal,
                     reinterpret_cast<long>(&info));
}

void nudge_barely() {
  const AllBlocked blocked;
  SpinGuard guard(lock);
  struct sigaction present;
  if (__sigaction(kBareNudge, nullptr, &present) != 0) return;
  if (!is_ours(present)) {
    note(kBareNudge, present);
    present.sa_flags |= is_handler(present) ? 0 : SA_RESTART;
    const struct sigaction action = in_front_of(present);
    if (__sigaction(kBareNudge, &action, nullptr) != 0) return;
  }
  nudges_barely.store(true, relaxed);
}

}  // namespace

bool nudge(pid_t kernel_thread, const BlockedCall* call) {
  long result = send_nudge(nudge_number.load(relaxed), kernel_thread, call);
  if (result == -EAGAIN) {
    if (!nudges_barely.load(relaxed)) nudge_barely();
    if (nudges_barely.load(relaxed)) result = send_nudge(kBareNudge, kernel_thread, call);
  }
  return result == 0;
}

bool is_nudge(const siginfo_t& info) {
  return info.si_code == SI_QUEUE && info.si_value.sival_ptr == &nudge_mark &&
         info.si_pid == getpid();
}

bool may_be_bare_nudge(const siginfo_t& info) {
  return info.si_signo == kBareNudge && nudges_barely.load(relaxed) &&
         (is_nudge(info) || (info.si_code == SI_USER && info.si_pid == 0));
}

void init_signal_actions() {
  note_process();
  add_fork_lock(held_across_fork<lock, note_process>);
}

}  // namespace bobbin
