// SPDX-License-Identifier: Apache-2.0
// A tool that has asked for it is told what each worker does, and who wakes whom (bobbin/tool.h).
// All functions are called only where tool::watched is true.
#pragma once

#include "sched/workers/worker.h"

namespace bobbin {

// The worker goes on with the fiber. Not told if the tool does not know the thread yet.
void tell_carries(Worker& worker, Fiber& fiber);
// It looks for work, or sleeps.
void tell_carries_none(Worker& worker, bobbin_worker_state_t state);
// The caller, which is an OpenMP thread, has ended the wait of the suspended fiber.
void tell_wakes(Fiber& fiber);

// What the tool keeps of the fiber's thread; nullptr: it has not been told of it. Defined by the
// team layer, bound when linking.
ompt_data_t* data_for_tool(Fiber& fiber);

}  // namespace bobbin
