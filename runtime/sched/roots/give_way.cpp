// SPDX-License-Identifier: Apache-2.0
#include "sched/roots/give_way.h"

#include <utility>

#include "platform/keep_errno.h"
#include "platform/loader/own_code.h"
#include "platform/signals/interrupted.h"
#include "platform/signals/signal_actions.h"
#include "sched/roots/stand_in.h"
#include "sched/workers/pool.h"

namespace bobbin {
namespace {

// Nor does the loop give way: it looks for the root by itself.
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
  // From here until the root continues no signal may interrupt: it is undefined which thread this
  // is.
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
  // From here on another kernel thread runs this. The handler's return sets this kernel thread's
  // mask. In that mask the kernel thread of a root blocks nothing that its root does not block.
  // Anything else in it belongs to a function that unblocks it when it sleeps: sigsuspend().
  worker.blocked = carried->blocked;
  at.return_blocking(worker.blocked);
}

void carry_on_displaced(Worker& worker) {
  void* displaced_sp = std::exchange(worker.displaced_sp, nullptr);
  bobbin_switch_context(&worker.native_sp, displaced_sp, &worker, worker.displaced_tls);
}

}  // namespace bobbin
