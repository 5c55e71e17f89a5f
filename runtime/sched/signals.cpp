// SPDX-License-Identifier: Apache-2.0
#include "sched/signals.h"

#include <ucontext.h>

#include "platform/failed_call.h"
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

// The lowest address of the stack that the frame is on; nullptr: unknown.
const char* lowest_of_stack(const char* frame, const Fiber& fiber, const Interrupted& at) {
  if (fiber.stack != nullptr && fiber.stack->holds(frame)) return fiber.stack->limit();
  if (at.on_alternate_stack(frame)) return at.alternate_stack();
  const Stack* stack = stack_with(frame);
  return stack != nullptr ? stack->limit() : nullptr;
}

// While the handler runs, the signals are blocked that the program wants blocked.
SignalSet mask_in_handler(SignalSet before, const struct sigaction& action, int signal) {
  before |= to_signal_set(action.sa_mask);
  if ((action.sa_flags & SA_NODEFER) == 0) before |= bit_of_signal(signal);
  return blockable(before);
}

// Who sets the kernel thread's mask for the handler and after it?
enum class MaskSet : uint8_t { ByKernel, ByRuntime };

void adopt_mask(Fiber& fiber, SignalSet blocked, MaskSet by) {
  fiber.blocked = blocked;
  if (by == MaskSet::ByRuntime) {
    load_signal_mask(*fiber.worker, blocked);
  } else {
    fiber.worker->blocked = blocked;
  }
}

// The handler finds in the context the mask that its thread had before, and may change it there for
// the time after. The kernel finds there what the kernel thread is to have.
void call_as(Fiber& fiber, const struct sigaction& action, int signal, siginfo_t* info,
             void* context, MaskSet by) {
  const ThreadPointer present = current_thread_pointer();
  if (present != fiber.tls) set_thread_pointer(fiber.tls);
  const auto* frame = static_cast<const char*>(__builtin_frame_address(0));
  Interrupted at(context);
  const Worker* worker = fiber.worker;
  const SignalSet of_kernel_thread = at.blocked();
  const SignalSet before = fiber.blocked;
  at.set_blocked(before);
  fiber.handlers.enter(frame, lowest_of_stack(frame, fiber, at), before);
  adopt_mask(fiber, mask_in_handler(before, action, signal), by);
  call_program_handler(action, signal, info, context);
  fiber.handlers.leave(frame);
  const SignalSet after = at.blocked();
  adopt_mask(fiber, after != before ? blockable(after) : before, by);
  const bool as_before = after == before && fiber.worker == worker;
  at.set_blocked(as_before ? of_kernel_thread : kernel_mask_of(*fiber.worker, fiber.blocked));
  fiber.handled++;
  if (present != fiber.tls) set_thread_pointer(present);
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

// In the kernel's handler for this signal. `fiber`: nullptr for a kernel thread that carries none.
void call_directly(Fiber* fiber, const struct sigaction& action, int signal, siginfo_t* info,
                   void* context) {
  if (fiber == nullptr) return call_program_handler(action, signal, info, context);
  call_as(*fiber, action, signal, info, context, MaskSet::ByKernel);
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

void receive(int signal, siginfo_t* info, void* context) {
  struct sigaction action;
  if (!program_action(signal, action)) return;
  Worker* worker = worker_of_caller();
  // One that is about to become a root has no group yet.
  if (worker == nullptr || worker->kind != WorkerKind::Root || worker->group == nullptr) {
    Fiber* carried = worker != nullptr ? current_fiber() : nullptr;
    call_directly(carried, action, signal, info, context);
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
    call_directly(&root, action, signal, info, context);
  } else if (waits && (by_itself || !for_root || !may_note)) {
    call_directly(present, action, signal, info, context);
  } else {
    note(root, *info);
    if (waits) go_on_with_call(present, *info, context);
    if (waits) give_way(*worker, context);
    wake_monitor();
  }
}

void heed_nudge(Worker& worker, const siginfo_t& info, void* context) {
  // The sender has noted the reason for a nudge before it sends the nudge.
  worker.nudged.exchange(false, seq_cst);
  const Interrupted at(context);
  Fiber* fiber = current_fiber();
  const uint32_t handled = fiber != nullptr ? fiber->handled : 0;
  if (fiber != nullptr && !in_context_switch(at.pc())) {
    // In the loop the thread pointer may still be that of the fiber that ended last.
    const bool is_root = worker.group != nullptr && fiber == worker.group->root;
    const bool here = is_root ? stack_with(at.sp()) == nullptr
                              : (fiber->stack != nullptr && fiber->stack->holds(at.sp()));
    if (here && may_handle_at(at)) handle_noted_signals(*fiber, context);
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
  return worker != nullptr && worker->nudged.load(relaxed);
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
  getcontext(&here);
  Interrupted(&here).keep_alternate_stack();
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

int send_signal(Fiber& fiber, const siginfo_t& info) {
  PendingSignals* noted = noted_with(fiber);
  if (noted == nullptr) return EAGAIN;
  if (!noted->add(info)) return info.si_code == SI_QUEUE ? EAGAIN : 0;
  fence(seq_cst);
  resume(fiber);
  list_errand(fiber);
  nudge_for_signals(fiber);
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

namespace {

// The kernel thread blocks signals that its thread does not block.
bool in_unrouted_handler(const Fiber& fiber) {
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

}  // namespace

bool in_routed_handler(const Fiber& fiber) {
  return fiber.handlers.active_at(static_cast<const char*>(__builtin_frame_address(0)));
}

bool in_signal_handler(const Fiber& fiber) {
  return in_routed_handler(fiber) || in_unrouted_handler(fiber);
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
  heed_signals(fiber);
}

bool take_noted_signal(Fiber& fiber, SignalSet wanted, siginfo_t& info) {
  PendingSignals* noted = fiber.signals.load(acquire);
  return noted != nullptr && noted->take(wanted, info);
}

}  // namespace bobbin
