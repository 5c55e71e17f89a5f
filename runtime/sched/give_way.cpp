// SPDX-License-Identifier: Apache-2.0
#include "sched/give_way.h"

#include <utility>

#include "platform/interrupted.h"
#include "platform/keep_errno.h"
#include "platform/memory.h"
#include "platform/own_code.h"
#include "platform/signal_actions.h"
#include "sched/monitor.h"
#include "sched/pool_state.h"
#include "sched/signals.h"

namespace bobbin {
namespace {

bool on_stack(const Stack& stack, const char* sp) {
  return sp >= stack.limit() && sp < stack.mapping + stack.size;
}

// Nor its loop, which looks for the root by itself.
bool may_give_way(const Worker& worker, const Interrupted& at) {
  const Stack* stack = stack_with(at.sp());
  return stack != nullptr && stack != worker.loop_stack && !in_own_code(at.pc()) &&
         on_stack(*stack, static_cast<const char*>(__builtin_frame_address(0)));
}

// As register_worker() would make one for the same kernel thread.
void take_the_place(Worker& fresh, Worker& worker) {
  Fiber& root = *worker.group->root;
  fresh.kind = WorkerKind::Root;
  fresh.index = worker.index;
  fresh.random = worker.random;
  fresh.kernel_thread = static_cast<pid_t>(worker.kernel_thread);
  fresh.native_tls = static_cast<ThreadPointer>(worker.native_tls);
  fresh.group = worker.group;
  fresh.blocked = ~SignalSet{0};  // not known: the handler's
  std::swap(fresh.alt_stack, worker.alt_stack);
  fresh.active.store(worker.active.load(relaxed), relaxed);
  fresh.nudged.store(false, relaxed);
  root.home = &fresh;
  root.worker = &fresh;
  worker.group->home = &fresh;
  pool.registry[fresh.index].store(&fresh, release);
  worker.kind = WorkerKind::Spare;
  worker.group = nullptr;
  worker.retiring.store(false, relaxed);
  worker.stuck.store(false, relaxed);
  worker.belong_to_nobody();
  worker.active.store(true, relaxed);
}

Atomic<Worker*> displaced{nullptr};

}  // namespace

void give_way(Worker& worker, void* context) {
  Interrupted at(context);
  if (worker.kind != WorkerKind::Root || worker.home_ready.load(relaxed) == nullptr) return;
  if (worker.reserve.load(acquire) == nullptr || !may_give_way(worker, at)) return;
  // From here on to where the root goes on nobody may interrupt: who would be the thread?
  const SignalSet blocked = kernel_mask();
  set_kernel_mask(~SignalSet{0});
  Fiber* root = worker.home_ready.exchange(nullptr, acquire);
  if (root == nullptr) return set_kernel_mask(blocked);
  const KeepErrno keep;
  Worker& fresh = *worker.reserve.exchange(nullptr, acquire);
  take_the_place(fresh, worker);
  worker.displaced_tls = current_thread_pointer();
  fresh.displacing = &worker;
  const Fiber* carried = current_fiber();
  bobbin_switch_context(&worker.displaced_sp, root->sp, &fresh, root->tls);
  // Another kernel thread. The handler's return sets its mask, in which a root's kernel thread has
  // nothing that its root does not block. What else is in it is a function's that is about to
  // unblock it as it sleeps: sigsuspend().
  worker.blocked = carried->blocked;
  at.return_blocking(worker.blocked);
}

void publish_displaced(Worker& worker, Worker& fresh) {
  load_signal_mask(fresh, fresh.group->root->blocked);
  put_back_displaced(worker);
  call_monitor();
}

Worker* next_displaced() {
  Worker* first = displaced.load(acquire);
  // Nobody else takes one away, so the first one's link stays as it is.
  while (first != nullptr &&
         !displaced.compare_exchange_weak(first, first->unused_next, acquire, acquire)) {
  }
  return first;
}

void put_back_displaced(Worker& worker) {
  Worker* first = displaced.load(relaxed);
  do {
    worker.unused_next = first;
  } while (!displaced.compare_exchange_weak(first, &worker, acq_rel, relaxed));
}

namespace {

bool provide_reserve(Worker& worker) {
  if (worker.reserve.load(relaxed) != nullptr) return true;
  auto* reserve = make_lasting<Worker>();
  if (reserve == nullptr || !provide_loop(*reserve)) return false;
  worker.reserve.store(reserve, release);
  return true;
}

}  // namespace

void recall_root(Worker& worker) {
  if (!provide_reserve(worker)) return;
  SpinGuard guard(pool.lock);  // so that neither record nor kernel thread ends meanwhile
  if (pool.registry[worker.index].load(relaxed) != &worker || worker.kind != WorkerKind::Root) {
    return;
  }
  nudge_worker(worker);
}

void carry_on_displaced(Worker& worker) {
  void* displaced_sp = std::exchange(worker.displaced_sp, nullptr);
  bobbin_switch_context(&worker.native_sp, displaced_sp, &worker, worker.displaced_tls);
}

void forget_displaced() { displaced.store(nullptr, relaxed); }

}  // namespace bobbin
