// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

struct Worker;

// By the kernel thread of the root, outside of regions: it asks how many threads it will get.
// See sched/turn_forecast.h.
void await_turn(Worker& root);

}  // namespace bobbin
