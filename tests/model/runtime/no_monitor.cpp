// SPDX-License-Identifier: Apache-2.0
// No monitor, for tests in which no worker gets stuck.
#include "sched/monitor/monitor.h"

namespace bobbin {

void watch_for_stuck_workers() {}

}  // namespace bobbin
