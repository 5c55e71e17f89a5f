// SPDX-License-Identifier: Apache-2.0
#include "sched/signals.h"

#include <ucontext.h>

#include "platform/handlers_wait.h"
#include "platform/interrupted.h"
#include "platform/keep_errno.h"
#include "platform/memory.h"
#include "platform/own_code.h"
#include "platform/signal_actions.h"
#include "sched/errands.h"
#include "sched/give_way.h"
#include "sched/monitor.h"
#include "sched/nudge.h"
#include "sched/pool_state.h"
#include "sched/signal_mask.h"

namespace bobbin {
namespace {

PendingSignals* noted_with(Fiber& fiber) {
  PendingSignals* noted = fiber.signals.load(acquire);
  if (noted != nullptr) return noted;
  auto* made = make<PendingSignals>();
  if (made == nullptr || fiber.signals.compare_exchange_strong(noted, made, acq_rel, acquire)) {
    return made;
  }
  destroy(made);
  return noted;
}

// Does not use the fiber that runs: in the middle of a switch that may be the old or the new one.
Worker* worker_of_caller() {
  const auto self = static_cast<pid_t>(syscall(SYS_gettid));
  Worker* found = nullptr;
  pool.each([&](Worker& worker) {
    if (worker.kernel_thread == self) found = &worker;
    return found != nullptr;
  });
  return found;
}

// The signal was sent to the process, and any of its threads that does not block it may handle it.
bool sent_to_process(const siginfo_t& info) {
  return info.si_code != SI_TKILL && info.si_code != SI_QUEUE;
}

// Does the root wait? Then its kernel thread was interrupted in the loop, or on another thread's
// stack.
bool root_waits(const Worker& worker, const Interrupted& at) {
  const Stack* stack = stack_with(at.sp());
  if (stack == nullptr) return false;
  if (stack == worker.loop_stack || in_context_switch(at.pc())) return true;
  return current_fiber() != worker.group->root;  // else it is on a stack for deep recursion
}

void call_as(Fiber* fiber, const struct sigaction& action, int signal, siginfo_t* info,
             void* context) {
  const ThreadPointer present = current_thread_pointer();
  if (fiber != nullptr && present != fiber->tls) set_thread_pointer(fiber->tls);
  if (fiber != nullptr) fiber->handling++;
  call_program_handler(action, signal, info, context);
  if (fiber == nullptr) return;
  fiber->handling--;
  fiber->handled++;
  if (present != fiber->tls) set_thread_pointer(present);
}

// To be called before a handler returns that called a handler of the program: another kernel thread
// may continue what was interrupted.
void return_here(void* context) { Interrupted(context).keep_alternate_stack(); }

// A handler of the program may wait for other threads to make progress. So none runs in the middle
// of the runtime's own code, which may hold fibers that were resumed and are in no queue yet, nor
// in a function that the runtime has called meanwhile (HandlersWait). Then the signal is noted, and
// the monitor nudges the thread until it is handled.
bool may_handle_at(const Interrupted& at) { return !in_own_code(at.pc()) && handlers_wait == 0; }

void note(Fiber& fiber, const siginfo_t& info) {
  fiber.signals.load(acquire)->add(info);
  if ((fiber.blocked & bit_of_signal(info.si_signo)) != 0) return;
  resume(fiber);
  list_errand(fiber);
}

void receive(int signal, siginfo_t* info, void* context) {
  struct sigaction action;
  if (!program_action(signal, action)) return;
  Worker* worker = worker_of_caller();
  // One that is about to become a root has no group yet.
  if (worker == nullptr || worker->kind != WorkerKind::Root || worker->group == nullptr) {
    call_as(worker != nullptr ? current_fiber() : nullptr, action, signal, info, context);
    return;
  }
  Fiber& root = *worker->group->root;
  Fiber* present = current_fiber();
  const Interrupted at(context);
  const bool for_root = !sent_to_process(*info) || (root.blocked & bit_of_signal(signal)) == 0;
  const bool by_itself = present != nullptr && present->raising == signal;
  const bool waits = root_waits(*worker, at);
  // A root has room to note signals from the beginning, if there was memory for it.
  const bool may_note = root.signals.load(acquire) != nullptr && worker->active.load(relaxed);
  if (!waits && (may_handle_at(at) || !may_note || !wake_monitor())) {
    call_as(&root, action, signal, info, context);
  } else if (waits && (by_itself || !for_root || !may_note)) {
    call_as(present, action, signal, info, context);
  } else {
    if (waits && present != nullptr) present->interrupted++;
    note(root, *info);
    if (waits) give_way(*worker, context);
    wake_monitor();
  }
}

// A signal that the kernel delivered to this kernel thread.
void on_signal(int signal, siginfo_t* info, void* context) {
  receive(signal, info, context);
  return_here(context);
}

void on_nudge(int signal, siginfo_t* info, void* context) {
  struct sigaction action;
  if (!is_nudge(*info)) {
    if (program_action(signal, action)) call_program_handler(action, signal, info, context);
    return;
  }
  Worker* worker = worker_of_caller();
  if (worker == nullptr) return;
  // The sender has noted the reason for a nudge before it sends the nudge.
  worker->nudged.exchange(false, seq_cst);
  const Interrupted at(context);
  Fiber* fiber = current_fiber();
  if (fiber != nullptr && !in_context_switch(at.pc())) {
    fiber->interrupted++;
    // In the loop the thread pointer may still be that of the fiber that ended last.
    const bool is_root = worker->group != nullptr && fiber == worker->group->root;
    const bool here = is_root ? stack_with(at.sp()) == nullptr
                              : (fiber->stack != nullptr && fiber->stack->holds(at.sp()));
    if (here && may_handle_at(at)) {
      handle_noted_signals(*fiber, context);
    }
  }
  give_way(*worker, context);
  return_here(context);
}

// Makes its own context, because no signal has interrupted the thread.
[[gnu::noinline]] void call_from_here(Fiber& fiber, const struct sigaction& action, int signal,
                                      siginfo_t& info) {
  ucontext_t here;
  getcontext(&here);
  call_as(&fiber, action, signal, &info, &here);
}

// While the handler runs, the signals are blocked that the program wants blocked.
void handle(Fiber& fiber, const struct sigaction& action, siginfo_t& info, void* context) {
  const int signal = info.si_signo;
  const SignalSet before = fiber.blocked;
  fiber.blocked |= to_signal_set(action.sa_mask);
  if ((action.sa_flags & SA_NODEFER) == 0) fiber.blocked |= bit_of_signal(signal);
  load_signal_mask(*fiber.worker, fiber.blocked);
  if (context != nullptr) {
    call_as(&fiber, action, signal, &info, context);
  } else {
    call_from_here(fiber, action, signal, info);
  }
  fiber.blocked = before;
  load_signal_mask(*fiber.worker, before);
  if (context != nullptr && (action.sa_flags & SA_RESTART) == 0) {
    Interrupted(context).fail_system_call();
  }
}

}  // namespace

void init_signals() {
  if (reserve_nudge(on_nudge) != 0) route_signals(on_signal);
}

int send_signal(Fiber& fiber, const siginfo_t& info) {
  PendingSignals* noted = noted_with(fiber);
  if (noted == nullptr) return EAGAIN;
  if (!noted->add(info)) return info.si_code == SI_QUEUE ? EAGAIN : 0;
  fence(seq_cst);
  resume(fiber);
  list_errand(fiber);
  if (Worker* worker = fiber.worker) nudge_worker(*worker);
  wake_monitor();
  return 0;
}

[[gnu::noinline]] void handle_noted_signals(Fiber& fiber, void* context) {
  PendingSignals* noted = fiber.signals.load(acquire);
  siginfo_t info;
  while (noted != nullptr && noted->take(~fiber.blocked, info)) {
    struct sigaction action;
    if (program_action(info.si_signo, action)) handle(fiber, action, info, context);
  }
}

bool in_signal_handler(const Fiber& fiber) {
  if (fiber.handling != 0) return true;
  SignalSet more = kernel_mask() & ~fiber.worker->blocked;
  for (; more != 0; more &= more - 1) {
    struct sigaction action;
    if (sigaction(__builtin_ctzll(more) + 1, nullptr, &action) == 0 &&
        action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) {
      return true;
    }
  }
  return false;
}

bool take_noted_signal(Fiber& fiber, SignalSet wanted, siginfo_t& info) {
  PendingSignals* noted = fiber.signals.load(acquire);
  return noted != nullptr && noted->take(wanted, info);
}

}  // namespace bobbin
