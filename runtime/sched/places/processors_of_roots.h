// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/processors/cpu_set.h"

namespace bobbin {

struct Worker;

// The processors on which kernel threads of roots may run now, without those that KMP_HW_SUBSET
// leaves out. Empty if there is no root. If threads are bound, roots are bound to places, and the
// set says little.
CpuSet processors_of_roots();

// Lets the calling kernel thread, which belongs to this helper or spare, run on the processors of
// all roots. It inherited those of the thread in whose region it was started, and that thread may
// have bound itself to one processor; but the worker serves all roots.
void take_processors_of_roots(Worker& worker);

// The same again, if the masks of roots have changed, or if those were not all processors of the
// process and new roots have come.
void take_processors_again(Worker& worker);

}  // namespace bobbin
