// SPDX-License-Identifier: Apache-2.0
// Where libraries let only one kernel thread at a time open a region, the others wait here for
// their turn.
#pragma once

namespace bobbin {

struct Worker;

// By the kernel thread of the root, outside of regions: it asks how many threads it will get.
// See sched/forecasts/admission_forecast.h.
void await_admission(Worker& root);

}  // namespace bobbin
