// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace bobbin {

struct Worker;

// Spins until it is woken or `until` has come. Returns whether it was woken; updates `now`.
bool spin_for_wake(Worker& worker, uint64_t& now, uint64_t until);

// For an idle helper: sleeps, and is awake when the next wake-up is due. Returns whether there is
// something to do. False: wake-ups fail to come, or it does not pay to wait for them.
bool doze(Worker& worker);

}  // namespace bobbin
