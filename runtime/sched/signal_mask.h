// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fiber/fiber.h"
#include "sched/worker.h"

namespace bobbin {

// A mask belongs to the thread: each kernel thread takes over that of what it carries. A root's has
// nothing blocked that its root does not block, since its root is to be told.
void load_signal_mask(Worker& worker, SignalSet blocked);
inline void match_signal_mask(Worker& worker, const Fiber& fiber) {
  if (worker.blocked != fiber.blocked) [[unlikely]]
    load_signal_mask(worker, fiber.blocked);
}

}  // namespace bobbin
