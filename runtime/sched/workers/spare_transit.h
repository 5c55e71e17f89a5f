// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/atomic.h"

namespace bobbin {

// Spare workers that are on their way to the loop, or from there to their end. They need a
// processor for that, and no more spares are started before these have had one.
inline constinit Atomic<unsigned> spares_in_transit{0};

// Called at the beginning and at the end of each way.
inline void spare_sets_out() { spares_in_transit.fetch_add(1, relaxed); }
inline void spare_has_arrived() { spares_in_transit.fetch_sub(1, relaxed); }

}  // namespace bobbin
