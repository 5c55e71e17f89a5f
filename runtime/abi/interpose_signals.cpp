// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abi/c_library.h"
#include "abi/export.h"
#include "fiber/tls/tls_block.h"
#include "platform/signals/signal_actions.h"
#include "sched/signals/in_handler.h"
#include "sched/signals/signals.h"
#include "sched/workers/pool.h"
#include "sched/workers/signal_mask.h"
#include "team/model/thread.h"

// Signals to and from OpenMP threads: see sched/signals/signals.h.

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

using namespace bobbin;

namespace {

int failed(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

// The calling thread, if the runtime manages its mask and signals.
Thread* own_thread() {
  Thread* thread = tls_thread;
  return thread != nullptr && provider.threads_move ? thread : nullptr;
}

bool combine(int how, SignalSet& blocked, SignalSet set) {
  switch (how) {
    case SIG_BLOCK:
      blocked |= set;
      return true;
    case SIG_UNBLOCK:
      blocked &= ~set;
      return true;
    case SIG_SETMASK:
      blocked = set;
      return true;
    default:
      return false;
  }
}

int change_mask(Thread& thread, int how, const sigset_t* set, sigset_t* before) {
  // A root outside its regions may have changed its mask in a way that is not seen here.
  const bool alone = thread.home != nullptr && !thread.home->active.load(relaxed);
  SignalSet blocked = alone ? kernel_mask() : thread.blocked;
  if (before != nullptr) to_sigset(blocked, before);
  if (set != nullptr && !combine(how, blocked, blockable(to_signal_set(*set)))) return EINVAL;
  if (set == nullptr) return 0;
  thread.blocked = blocked;
  if ((thread.group.load(relaxed)->root->blocked & ~blocked) != 0) make_room_for_signals(thread);
  load_signal_mask(*thread.worker, blocked);
  deliver_pending_signals(thread);
  return 0;
}

// What a handler for an unrouted signal changes lasts only until it returns: the kernel handles it.
bool means_the_handlers(const Thread& thread, const sigset_t* set) {
  return set != nullptr && !in_routed_handler(thread) && in_signal_handler(thread);
}

siginfo_t sent_by_this_process(int signal, int code) {
  siginfo_t info = {};
  info.si_signo = signal;
  info.si_code = code;
  info.si_pid = getpid();
  info.si_uid = getuid();
  return info;
}

// Sends to a fiber, called by another thread or by the fiber itself.
int send(pthread_t thread, const siginfo_t& info) {
  const int signal = info.si_signo;
  auto* target = thread_of(thread);
  if (target == nullptr) return ESRCH;
  if (signal < 0 || signal > kSignals || signal == 32 || signal == 33) return EINVAL;
  if (signal == 0) return 0;
  const bool own = target == tls_thread;
  struct sigaction action;
  if (program_action(signal, action) && has_handler(signal))
    return own ? send_to_itself(*target, info) : send_signal(*target, info);
  // Without a handler the signal concerns the process. If the fiber sends to itself, it concerns
  // the kernel thread that carries it.
  siginfo_t copy = info;
  const Worker* worker = target->worker;
  const pid_t kernel_thread = own || worker == nullptr ? static_cast<pid_t>(syscall(SYS_gettid))
                                                       : static_cast<pid_t>(worker->kernel_thread);
  // The kernel lets nobody else say that tgkill() has sent a signal.
  const long sent = info.si_code == SI_TKILL
                        ? syscall(SYS_tgkill, getpid(), kernel_thread, signal)
                        : syscall(SYS_rt_tgsigqueueinfo, getpid(), kernel_thread, signal, &copy);
  return sent == 0 ? 0 : errno;
}

}  // namespace

BOBBIN_ENTRY int sigaction(int signal, const struct sigaction* wanted, struct sigaction* before) {
  return set_signal_action(signal, wanted, before);
}

// As in BSD, which glibc follows: the handler stays installed, and system calls continue after it.
BOBBIN_ENTRY sighandler_t signal(int number, sighandler_t handler) {
  struct sigaction wanted = {};
  struct sigaction before = {};
  wanted.sa_handler = handler;
  wanted.sa_flags = SA_RESTART;
  sigaddset(&wanted.sa_mask, number);
  return set_signal_action(number, &wanted, &before) == 0 ? before.sa_handler : SIG_ERR;
}

BOBBIN_ENTRY int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) {
  Thread* thread = own_thread();
  if (thread == nullptr || means_the_handlers(*thread, set))
    return c_library().set_mask(how, set, before);
  return change_mask(*thread, how, set, before);
}

BOBBIN_ENTRY int sigprocmask(int how, const sigset_t* set, sigset_t* before) {
  return failed(pthread_sigmask(how, set, before));
}

namespace {

// A fiber; or a root in a region. The root's kernel thread may carry another thread with another
// mask, so the kernel would hold the signal back. But real-time signals to a root always take the
// same way, because they must keep their order.
bool is_sent_here(pthread_t thread, int signal) {
  if (!provider.threads_move) return false;
  if (names_fiber(thread)) return true;
  if (PendingSignals::is_real_time(signal)) return false;
  const Thread* target = thread_of(thread);
  return target != nullptr && target != tls_thread && target->home != nullptr &&
         target->home->active.load(relaxed);
}

}  // namespace

BOBBIN_ENTRY int pthread_kill(pthread_t thread, int signal) {
  if (!is_sent_here(thread, signal)) return c_library().kill(thread, signal);
  return send(thread, sent_by_this_process(signal, SI_TKILL));
}

BOBBIN_ENTRY int raise(int signal) {
  const int error = pthread_kill(pthread_self(), signal);
  return failed(error);
}

BOBBIN_ENTRY int pthread_sigqueue(pthread_t thread, int signal, const sigval value) {
  if (!is_sent_here(thread, signal)) return c_library().sigqueue(thread, signal, value);
  siginfo_t info = sent_by_this_process(signal, SI_QUEUE);
  info.si_value = value;
  return send(thread, info);
}

// No signal may arrive unseen between the check of the noted signals and the sleep.
BOBBIN_NATIVE_ENTRY int sigsuspend(const sigset_t* set) {
  Thread* thread = own_thread();
  if (thread == nullptr) return c_library().sigsuspend(set);
  const SignalSet before = thread->blocked;
  const uint32_t handled = thread->handled;
  const SignalSet present = kernel_mask();
  set_kernel_mask(~SignalSet{0});
  thread->blocked = blockable(to_signal_set(*set));
  sigset_t wanted;
  to_sigset(thread->blocked, &wanted);
  for (;;) {
    deliver_pending_signals(*thread);  // a nudge interrupts the call
    if (thread->handled != handled) break;
    c_library().sigsuspend(&wanted);
  }
  thread->blocked = before;
  set_kernel_mask(present);
  errno = EINTR;
  return -1;
}

// A signal sent to a fiber is noted for the fiber, not in the kernel. The nudge that tells of it
// interrupts the call.
BOBBIN_NATIVE_ENTRY int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* limit) {
  Thread* thread = own_thread();
  siginfo_t noted;
  const auto take_noted = [&] {
    return thread != nullptr && take_noted_signal(*thread, to_signal_set(*set), noted);
  };
  if (!take_noted()) {
    const int signal = c_library().sigtimedwait(set, info, limit);
    if (signal >= 0 || errno != EINTR || !take_noted()) return signal;
  }
  if (info != nullptr) *info = noted;
  return noted.si_signo;
}

BOBBIN_NATIVE_ENTRY int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  return sigtimedwait(set, info, nullptr);
}

BOBBIN_NATIVE_ENTRY int sigwait(const sigset_t* set, int* signal) {
  for (;;) {
    const int result = sigtimedwait(set, nullptr, nullptr);
    if (result < 0 && errno == EINTR) continue;
    if (result < 0) return errno;
    *signal = result;
    return 0;
  }
}

#endif
