// SPDX-License-Identifier: Apache-2.0
#include "sched/nudge.h"

#include "platform/signal_actions.h"
#include "sched/worker.h"

namespace bobbin {

// One at a time, because real-time signals queue up, and each one that arrives takes room on the
// stack.
void nudge_worker(Worker& worker) {
  const pid_t kernel_thread = worker.kernel_thread;
  if (nudge_signal() == 0 || kernel_thread == 0 || worker.nudged.exchange(true, seq_cst)) return;
  nudge(kernel_thread);
}

}  // namespace bobbin
