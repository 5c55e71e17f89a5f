// SPDX-License-Identifier: Apache-2.0
#include "sched/workers/nudge.h"

#include "platform/signals/blocked_call.h"
#include "platform/signals/signal_actions.h"
#include "sched/workers/worker.h"

namespace bobbin {
namespace {

// One at a time, because real-time signals queue up, and each one that arrives takes room on the
// stack. `reaches(sp)`: has a nudge an effect on a call that was made on this stack?
template <class Reaches>
void nudge_where(Worker& worker, Reaches reaches) {
  const pid_t kernel_thread = worker.kernel_thread;
  if (nudge_signal() == 0 || kernel_thread == 0 || worker.nudged.is_for(kernel_thread)) return;
  BlockedCall call;
  const bool blocked = read_blocked_call(kernel_thread, call);
  if (blocked && !reaches(reinterpret_cast<const char*>(call.sp))) return;
  if (!worker.nudged.announce(kernel_thread)) return;
  if (!nudge(kernel_thread, blocked ? &call : nullptr)) worker.nudged.failed();
}

}  // namespace

void nudge_carried(Worker& worker) {
  nudge_where(worker, [&](const char* sp) {
    const Stack* stack = stack_with(sp);
    return stack != nullptr && stack != worker.loop_stack;
  });
}

void nudge_for_signals(Fiber& fiber) {
  Worker* worker = fiber.worker;
  if (worker == nullptr) return;
  nudge_where(*worker, [&](const char* sp) {
    return fiber.stack != nullptr ? fiber.stack->holds(sp) : stack_with(sp) == nullptr;
  });
}

}  // namespace bobbin
