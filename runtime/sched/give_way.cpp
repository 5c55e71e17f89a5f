// SPDX-License-Identifier: Apache-2.0
#include "sched/give_way.h"

#include <utility>

#include "platform/interrupted.h"
#include "platform/keep_errno.h"
#include "platform/own_code.h"
#include "platform/signal_actions.h"
#include "sched/pool_state.h"
#include "sched/resting.h"
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

// Who goes through the registry meanwhile may miss the old record; the monitor's next look does
// not.
void exchange_slots(Worker& fresh, Worker& worker) {
  const unsigned slot = worker.index;
  worker.index = static_cast<unsigned>(fresh.index);
  fresh.index = slot;
  pool.registry[worker.index].store(&worker, release);
  pool.registry[slot].store(&fresh, release);
}

// As register_worker() would make one for the same kernel thread.
void take_the_place(Worker& fresh, Worker& worker) {
  Fiber& root = *worker.group->root;
  fresh.kind = WorkerKind::Root;
  fresh.random = worker.random;
  fresh.kernel_thread = static_cast<pid_t>(worker.kernel_thread);
  fresh.native_tls = static_cast<ThreadPointer>(worker.native_tls);
  fresh.group = worker.group;
  fresh.blocked = ~SignalSet{0};  // not known: the handler's
  std::swap(fresh.alt_stack, worker.alt_stack);
  fresh.active.store(worker.active.load(relaxed), relaxed);
  fresh.nudged.store(false, relaxed);
  fresh.inbox.reopen();
  root.home = &fresh;
  root.worker = &fresh;
  worker.group->home = &fresh;
  exchange_slots(fresh, worker);
  worker.kind = WorkerKind::Spare;
  worker.group = nullptr;
  worker.retiring.store(false, relaxed);
  worker.stuck.store(false, relaxed);
  worker.belong_to_nobody();
  worker.active.store(true, relaxed);
}

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

void hand_over_displaced(Worker& worker, Worker& fresh) {
  // First, for a signal may wait for the mask.
  wake_put_aside(*std::exchange(worker.stand_in, nullptr), worker);
  load_signal_mask(fresh, fresh.group->root->blocked);
}

namespace {

struct Provision {
  Worker* reserve = nullptr;
  Resting* stand_in = nullptr;

  bool complete() const { return reserve != nullptr && stand_in != nullptr; }
};

void give_back(const Provision& provision) {
  if (provision.reserve != nullptr) unregister_worker(provision.reserve);
  if (provision.stand_in != nullptr) put_back_resting(*provision.stand_in);
}

// Incomplete: not yet, or not at all.
Provision provide() {
  Provision made;
  made.stand_in = put_aside_resting();
  if (made.stand_in == nullptr) {
    start_resting();
    return made;
  }
  made.reserve = register_worker(WorkerKind::Reserve);
  if (made.reserve != nullptr && provide_loop(*made.reserve)) return made;
  give_back(made);
  return {};
}

}  // namespace

void recall_root(Worker& worker) {
  Provision made;
  if (worker.reserve.load(relaxed) == nullptr) {
    made = provide();
    if (!made.complete()) return;
  }
  {
    SpinGuard guard(pool.lock);  // so that neither record nor kernel thread ends meanwhile
    if (pool.registry[worker.index].load(relaxed) == &worker && worker.kind == WorkerKind::Root) {
      if (made.complete()) {
        worker.stand_in = made.stand_in;
        worker.reserve.store(made.reserve, release);
        made = {};
      }
      nudge_worker(worker);
    }
  }
  give_back(made);
}

void give_back_reserve(Worker& worker) {
  Provision given;
  {
    SpinGuard guard(pool.lock);
    given.reserve = worker.reserve.exchange(nullptr, relaxed);
    if (given.reserve != nullptr) given.stand_in = std::exchange(worker.stand_in, nullptr);
    worker.kind = WorkerKind::Spare;  // gets no other one
  }
  give_back(given);
}

void carry_on_displaced(Worker& worker) {
  void* displaced_sp = std::exchange(worker.displaced_sp, nullptr);
  bobbin_switch_context(&worker.native_sp, displaced_sp, &worker, worker.displaced_tls);
}

}  // namespace bobbin
