// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

struct Worker;

// Lets the calling kernel thread, which is this helper's or spare's, run on the processors of every
// root that there is. It has those of the thread in whose region it was started, and that may have
// bound itself to one; but whoever comes is served.
void take_processors_of_roots(Worker& worker);

// The same again if that was less than the process has, and other roots have come.
void take_processors_of_new_roots(Worker& worker);

}  // namespace bobbin
