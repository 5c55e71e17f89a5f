// SPDX-License-Identifier: Apache-2.0
#include "sched/signals/in_handler.h"

#include "platform/signals/signal_set.h"
#include "sched/workers/worker.h"

namespace bobbin {
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

}  // namespace bobbin
