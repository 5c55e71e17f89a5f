// SPDX-License-Identifier: Apache-2.0
#include "sched/signals/signals.h"

#include <ucontext.h>

#include "platform/keep_errno.h"
#include "platform/loader/own_code.h"
#include "platform/locks/handlers_wait.h"
#include "platform/memory.h"
#include "platform/signals/failed_call.h"
#include "platform/signals/interrupted.h"
#include "platform/signals/signal_actions.h"
#include "sched/monitor/monitor.h"
#include "sched/monitor/unhandled_signals.h"
#include "sched/roots/give_way.h"
#include "sched/signals/handler_call.h"
#include "sched/workers/nudge.h"
#include "sched/workers/pool_state.h"
#include "sched/workers/signal_mask.h"

namespace bobbin {
namespace {

constinit SignalStore queued;

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
// Executes only code of the runtime, so that nothing gives way in it.
Worker* worker_of_caller() {
  const auto self = static_cast<pid_t>(raw_syscall(SYS_gettid, 0, 0, 0));
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

// To be called before a handler returns that called a handler of the program: another kernel thread
// may continue what was interrupted.
void return_here(void* context) { Interrupted(context).keep_alternate_stack(); }

// A handler of the program may wait for other threads to make progress. So none runs in the middle
// of the runtime's own code, which may hold fibers that were resumed and are in no queue yet, nor
// in a function that the runtime has called meanwhile (HandlersWait). Then the signal is noted, and
// the monitor nudges the thread until it is handled.
bool may_handle_at(const Interrupted& at) { return !in_own_code(at.pc()) && handlers_wait == 0; }

bool note(Fiber& fiber, const siginfo_t& info) {
  if (!fiber.signals.load(acquire)->add(info, queued)) {
    return !PendingSignals::is_real_time(info.si_signo);
  }
  if ((fiber.blocked & bit_of_signal(info.si_signo)) != 0) return true;
  resume(fiber);
  list_unhandled(fiber);
  return true;
}

// In the kernel's handler for this signal. `fiber`: nullptr for a kernel thread that carries none.
void call_directly(Fiber* fiber, const struct sigaction& action, int signal, siginfo_t* info,
                   void* context) {
  if (fiber == nullptr) return call_program_handler(action, signal, info, context);
  call_as(*fiber, action, signal, info, context, MaskSet::ByKernel);
  // What came meanwhile and was blocked by the handler.
  if (fiber->has_signals() && may_handle_at(Interrupted(context))) {
    handle_noted_signals(*fiber, context);
  }
}

// Gives the signal back to the kernel, for this kernel thread or for the process. It stays pending
// here until the mask is loaded anew.
void leave_in_kernel(Worker& worker, siginfo_t* info, void* context, bool to_process) {
  const SignalSet bit = bit_of_signal(info->si_signo);
  set_kernel_mask(~SignalSet{0});  // until the handler returns
  worker.blocked |= bit;
  Interrupted(context).return_blocking(bit);
  const auto address = reinterpret_cast<long>(info);
  if (to_process) {
    list_left_signal();
    // The kernel lets only the initial thread send again what kill() or the kernel itself has sent.
    if (raw_syscall(SYS_rt_sigqueueinfo, getpid(), info->si_signo, address) != 0) {
      raw_syscall(SYS_kill, getpid(), info->si_signo, 0);
    }
    wake_monitor();
  } else {
    raw_syscall(SYS_rt_tgsigqueueinfo, getpid(), worker.kernel_thread, info->si_signo, address);
  }
}

// A root that does not block the signal, that of the initial thread if possible, or nullptr.
Fiber* taker_of(int signal) {
  const pid_t initial = getpid();
  Fiber* found = nullptr;
  pool.each([&](const Worker& worker) {
    const Group* group = worker.group;
    if (worker.kind != WorkerKind::Root || group == nullptr || group->is_free_agent) return false;
    // While it is in a handler, the signal waits for the end of that.
    Fiber& root = *group->root;
    if ((root.handlers.outside(root.blocked) & bit_of_signal(signal)) != 0) return false;
    if (found == nullptr || worker.kernel_thread == initial) found = &root;
    return worker.kernel_thread == initial;
  });
  return found;
}

// The kernel gives a signal for the process to any kernel thread that does not block it, also to
// one of the runtime's own. A program counts on it that its own threads handle such signals, as
// long as they do not block them. False: the signal is for this kernel thread, or all roots block
// it.
bool pass_to_root(const siginfo_t& info) {
  if (info.si_code == SI_TKILL) return false;
  Fiber* taker = taker_of(info.si_signo);
  return taker != nullptr && send_signal(*taker, info) == 0;
}

// Does the kernel thread, a helper's or a spare's, carry this fiber where it was interrupted?
bool carries(const Fiber* fiber, const Interrupted& at) {
  return fiber != nullptr && !in_context_switch(at.pc()) && fiber->stack != nullptr &&
         fiber->stack->holds(at.sp());
}

// On a kernel thread of the runtime's own.
void receive_for_carried(Worker& worker, const struct sigaction& action, int signal,
                         siginfo_t* info, void* context) {
  Fiber* carried = current_fiber();
  const Interrupted at(context);
  // A kept thread may have asked for a signal to its kernel thread, a timer's for example.
  if (worker.carries_others && pass_to_root(*info)) return;
  if (!carries(carried, at)) {
    // Another kernel thread may carry a thread that does not block it, or this one soon.
    if (info->si_code != SI_TKILL) return leave_in_kernel(worker, info, context, true);
    return call_directly(carried, action, signal, info, context);
  }
  const bool may_note = carried->signals.load(acquire) != nullptr && worker.active.load(relaxed);
  if (may_handle_at(at) || !may_note || !wake_monitor() || !note(*carried, *info)) {
    call_directly(carried, action, signal, info, context);
  }
}

// sigtimedwait() and similar calls take what is noted with the fiber (abi/interpose_signals.cpp).
bool waits_for_noted(const Fiber* fiber, const BlockedCall& call) {
  if (call.number != SYS_rt_sigtimedwait || fiber == nullptr) return false;
  const PendingSignals* noted = fiber->signals.load(relaxed);
  return noted != nullptr && noted->any_of(*reinterpret_cast<const SignalSet*>(call.arguments[0]));
}

// No handler of the carried thread has run. In the runtime itself an interruption is meant.
void go_on_with_call(const Fiber* fiber, const siginfo_t& info, void* context) {
  Interrupted at(context);
  BlockedCall call;
  if (in_own_code(at.pc()) || !find_failed_call(at, info, call)) return;
  if (!waits_for_noted(fiber, call)) start_again(call, at);
}

bool is_root(const Worker& worker) {
  return worker.kind == WorkerKind::Root && worker.group != nullptr;
}

// On the kernel thread of a root.
void receive_for_root(Worker& worker, const struct sigaction& action, int signal, siginfo_t* info,
                      void* context) {
  Fiber& root = *worker.group->root;
  Fiber* present = current_fiber();
  const Interrupted at(context);
  const bool for_root = !sent_to_process(*info) || (root.blocked & bit_of_signal(signal)) == 0;
  const bool waits = root_waits(worker, at);
  // A root has room to note signals from the beginning, if there was memory for it.
  const bool may_note = root.signals.load(acquire) != nullptr && worker.active.load(relaxed);
  if (!waits && (may_handle_at(at) || !may_note || !wake_monitor())) {
    if (!root.has_signals() || !may_handle_at(at) || !note(root, *info)) {
      return call_directly(&root, action, signal, info, context);
    }
    return handle_noted_signals(root, context);  // those that came before come first
  }
  if (!for_root) {
    const bool here = waits && carries(present, at) && may_handle_at(at);
    if (!here) return leave_in_kernel(worker, info, context, true);
    return call_directly(present, action, signal, info, context);
  }
  if (waits && !may_note) return call_directly(present, action, signal, info, context);
  if (!note(root, *info)) leave_in_kernel(worker, info, context, false);
  if (waits) go_on_with_call(present, *info, context);
  if (waits) give_way(worker, context);
  wake_monitor();
}

void receive(int signal, siginfo_t* info, void* context) {
  struct sigaction action;
  if (!program_action(signal, action)) return;
  Worker* worker = worker_of_caller();
  if (worker == nullptr || (worker->kind == WorkerKind::Root && worker->group == nullptr)) {
    // A thread of the program without OpenMP, or one that is about to become a root.
    call_program_handler(action, signal, info, context);
  } else if (!is_root(*worker)) {
    receive_for_carried(*worker, action, signal, info, context);
  } else if (!worker->group->is_free_agent || !pass_to_root(*info)) {
    receive_for_root(*worker, action, signal, info, context);
  }
}

// From the handler's return on the kernel thread has the mask of the fiber that it carries again.
void let_through(Worker& worker, const Fiber& fiber, void* context) {
  if (worker.blocked == fiber.blocked) return;
  worker.blocked = fiber.blocked;
  Interrupted(context).set_blocked(kernel_mask_of(worker, fiber.blocked));
}

void heed_nudge(Worker& worker, const siginfo_t& info, void* context) {
  // The sender has noted the reason for a nudge before it sends the nudge.
  worker.nudged.arrived();
  const Interrupted at(context);
  Fiber* fiber = current_fiber();
  const uint32_t handled = fiber != nullptr ? fiber->handled : 0;
  if (fiber != nullptr && !in_context_switch(at.pc())) {
    // In the loop the thread pointer may still be that of the fiber that ended last.
    const bool is_root = worker.group != nullptr && fiber == worker.group->root;
    const bool here = is_root ? stack_with(at.sp()) == nullptr
                              : (fiber->stack != nullptr && fiber->stack->holds(at.sp()));
    if (here && may_handle_at(at)) {
      handle_noted_signals(*fiber, context);
      if (!is_root) let_through(worker, *fiber, context);
    } else if (worker.blocked != fiber->blocked) {
      list_left_signal();
    }
  }
  if (fiber == nullptr || fiber->handled == handled) go_on_with_call(fiber, info, context);
  give_way(worker, context);
  return_here(context);
}

void on_nudge(int signal, siginfo_t* info, void* context) {
  struct sigaction action;
  if (!is_nudge(*info)) {
    if (program_action(signal, action)) call_program_handler(action, signal, info, context);
    return;
  }
  if (Worker* worker = worker_of_caller()) heed_nudge(*worker, *info, context);
}

bool is_bare_nudge(const siginfo_t& info) {
  if (!may_be_bare_nudge(info)) return false;
  const Worker* worker = worker_of_caller();
  return worker != nullptr && worker->nudged.is_for(worker->kernel_thread);
}

// A signal that the kernel delivered to this kernel thread.
void on_signal(int signal, siginfo_t* info, void* context) {
  if (is_bare_nudge(*info)) return heed_nudge(*worker_of_caller(), *info, context);
  receive(signal, info, context);
  return_here(context);
}

// Makes its own context, because no signal has interrupted the thread.
[[gnu::noinline]] void call_from_here(Fiber& fiber, const struct sigaction& action, int signal,
                                      siginfo_t& info) {
  ucontext_t here;
  {
    const HandlersWait until_called;
    getcontext(&here);
    Interrupted(&here).keep_alternate_stack();
  }
  call_as(fiber, action, signal, &info, &here, MaskSet::ByRuntime);
}

void handle(Fiber& fiber, const struct sigaction& action, siginfo_t& info, void* context) {
  const int signal = info.si_signo;
  reset_if_wanted(action, signal);
  if (context == nullptr) return call_from_here(fiber, action, signal, info);
  call_as(fiber, action, signal, &info, context, MaskSet::ByRuntime);
  Interrupted(context).fail_system_call((action.sa_flags & SA_RESTART) != 0);
}

}  // namespace

void init_signals() {
  if (reserve_nudge(on_nudge) != 0) route_signals(on_signal);
}

int send_to_itself(Fiber& fiber, const siginfo_t& info) {
  PendingSignals* noted = noted_with(fiber);
  if (noted == nullptr) return EAGAIN;
  if (!noted->add(info, queued) && PendingSignals::is_real_time(info.si_signo)) return EAGAIN;
  deliver_pending_signals(fiber);
  return 0;
}

void make_room_for_signals(Fiber& fiber) { noted_with(fiber); }

int send_signal(Fiber& fiber, const siginfo_t& info) {
  PendingSignals* noted = noted_with(fiber);
  if (noted == nullptr) return EAGAIN;
  if (!noted->add(info, queued)) {
    return PendingSignals::is_real_time(info.si_signo) ? EAGAIN : 0;
  }
  fence(seq_cst);
  resume(fiber);
  list_unhandled(fiber);
  nudge_for_signals(fiber);
  wake_monitor();
  return 0;
}

namespace {

// By the kernel thread. If the nudge is in the mask, the mask is that for the time after
// sigsuspend().
SignalSet blocked_at(const Interrupted& at) {
  const SignalSet blocked = at.blocked();
  return (blocked & bit_of_signal(nudge_signal())) == 0 ? blocked : 0;
}

// `blocked_here`: by the kernel thread where it was interrupted, for instance because it is about
// to call the handler of an earlier signal of that number.
bool take_next(Fiber& fiber, SignalSet blocked_here, siginfo_t& info, struct sigaction& action) {
  const HandlersWait until_taken;
  PendingSignals* noted = fiber.signals.load(acquire);
  while (noted != nullptr && noted->take(~(fiber.blocked | blocked_here), info, queued)) {
    if (program_action(info.si_signo, action)) return true;
  }
  return false;
}

}  // namespace

[[gnu::noinline]] void handle_noted_signals(Fiber& fiber, void* context) {
  const SignalSet blocked_here = context != nullptr ? blocked_at(Interrupted(context)) : 0;
  siginfo_t info;
  struct sigaction action;
  while (take_next(fiber, blocked_here, info, action)) handle(fiber, action, info, context);
}

void follow_jump(Fiber& fiber, const char* sp, const SignalSet* saved) {
  const Worker& worker = *fiber.worker;
  const SignalSet before =
      fiber.handlers.empty() ? fiber.blocked : fiber.handlers.jump_to(sp, fiber.blocked);
  if (saved == nullptr) {
    // The mask stays as it is, also as an unrouted handler has it.
    if (!had_unrouted_handler()) return;
    const SignalSet more = blockable(kernel_mask() & ~worker.blocked);
    if (more != 0) adopt_mask(fiber, fiber.blocked | more, MaskSet::ByRuntime);
    return;
  }
  // Where the buffer was filled on a root's kernel thread, it lacks what the root does not block.
  const SignalSet own =
      fiber.home != nullptr ? 0 : before & ~fiber.group.load(relaxed)->root->blocked;
  adopt_mask(fiber, blockable(*saved) | own, MaskSet::ByRuntime);
  deliver_pending_signals(fiber);
}

bool take_noted_signal(Fiber& fiber, SignalSet wanted, siginfo_t& info) {
  PendingSignals* noted = fiber.signals.load(acquire);
  return noted != nullptr && noted->take(wanted, info, queued);
}

void drop_noted_signals(Fiber& fiber) {
  siginfo_t dropped;
  while (take_noted_signal(fiber, ~SignalSet{0}, dropped)) {
  }
}

}  // namespace bobbin
