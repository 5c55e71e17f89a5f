// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace bobbin {

struct Worker;

// Spins for a call until the given time. Returns whether there was one; `now` is kept up to date.
bool spin_for_wake(Worker& worker, uint64_t& now, uint64_t until);

// Of an idle helper: sleeps, awake when a call is due. Returns whether there is something to do;
// not, if calls fail to come, or if it does not pay to wait for them.
bool doze(Worker& worker);

}  // namespace bobbin
