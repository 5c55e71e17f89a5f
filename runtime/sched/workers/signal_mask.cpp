// SPDX-License-Identifier: Apache-2.0
#include "sched/workers/signal_mask.h"

namespace bobbin {

SignalSet kernel_mask_of(const Worker& worker, SignalSet blocked) {
  const bool roots = worker.kind == WorkerKind::Root && worker.group != nullptr;
  return roots ? blocked & worker.group->root->blocked : blocked;
}

void load_signal_mask(Worker& worker, SignalSet blocked) {
  worker.blocked = blocked;
  set_kernel_mask(kernel_mask_of(worker, blocked));
}

}  // namespace bobbin
