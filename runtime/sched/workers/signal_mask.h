// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fiber/fiber.h"
#include "sched/workers/worker.h"

namespace bobbin {

// A mask belongs to the thread: each kernel thread takes over the mask of the thread that it
// carries. A root's kernel thread blocks nothing that its root does not block, because the root
// must receive its signals.
SignalSet kernel_mask_of(const Worker& worker, SignalSet blocked);
void load_signal_mask(Worker& worker, SignalSet blocked);
inline void match_signal_mask(Worker& worker, const Fiber& fiber) {
  if (worker.blocked != fiber.blocked) [[unlikely]]
    load_signal_mask(worker, fiber.blocked);
}

}  // namespace bobbin
