// SPDX-License-Identifier: Apache-2.0
#include "sched/give_way.h"

#include <utility>

#include "platform/interrupted.h"
#include "platform/keep_errno.h"
#include "platform/own_code.h"
#include "platform/signal_actions.h"
#include "sched/pool.h"
#include "sched/stand_in.h"

namespace bobbin {
namespace {

// Nor its loop, which looks for the root by itself.
bool may_give_way(const Worker& worker, const Interrupted& at) {
  const Stack* stack = stack_with(at.sp());
  return stack != nullptr && stack != worker.loop_stack && !in_own_code(at.pc()) &&
         stack->holds(__builtin_frame_address(0));
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

void carry_on_displaced(Worker& worker) {
  void* displaced_sp = std::exchange(worker.displaced_sp, nullptr);
  bobbin_switch_context(&worker.native_sp, displaced_sp, &worker, worker.displaced_tls);
}

}  // namespace bobbin
