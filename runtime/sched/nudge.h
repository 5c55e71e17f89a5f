// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

struct Worker;

// Makes the kernel thread look for what its fiber, or the root that is at home there, has to do.
// Async-signal-safe.
void nudge_worker(Worker& worker);

}  // namespace bobbin
