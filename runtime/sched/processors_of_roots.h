// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

struct Worker;

// Lets the calling kernel thread, which belongs to this helper or spare, run on the processors of
// all roots. It inherited those of the thread in whose region it was started, and that thread may
// have bound itself to one processor; but the worker serves all roots.
void take_processors_of_roots(Worker& worker);

// The same again, if those were not all processors of the process, and new roots have come.
void take_processors_of_new_roots(Worker& worker);

}  // namespace bobbin
