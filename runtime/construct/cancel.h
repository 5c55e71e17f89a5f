// SPDX-License-Identifier: Apache-2.0
// Cancellation (section 16): of a parallel region, of the worksharing region that the team is in,
// of a taskgroup. Threads notice at cancellation points and at barriers.
//
// A cancelled loop or sections region has no record of its own to remember it in: compilers hand
// out static loops without the runtime. But it ends with a barrier (nowait is not allowed then), so
// the team remembers the barrier that ends it, and what is remembered expires as that barrier
// opens. A loop with nowait before it, which some threads have not left yet, is not told from it:
// at a cancellation point there they take the cancellation for their own.
#pragma once

#include "team/barrier.h"
#include "team/team.h"

namespace bobbin {

enum class Cancellable : uint8_t { Parallel, WorkShare, Taskgroup };

// Has the innermost region of that kind been cancelled? Then the thread must go to its end.
bool is_cancelled(Thread& thread, Cancellable region);

// True: the region is cancelled, and the thread must go to its end.
bool cancel(Thread& thread, Cancellable region);

// The barrier at the end of a region that may have been cancelled, or within a parallel region that
// may be. True: the parallel region has been.
bool cancellable_barrier(Thread& thread);

}  // namespace bobbin
