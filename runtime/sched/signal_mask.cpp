// SPDX-License-Identifier: Apache-2.0
#include "sched/signal_mask.h"

namespace bobbin {

void load_signal_mask(Worker& worker, SignalSet blocked) {
  worker.blocked = blocked;
  const bool roots = worker.kind == WorkerKind::Root && worker.group != nullptr;
  set_kernel_mask(roots ? blocked & worker.group->root->blocked : blocked);
}

}  // namespace bobbin
