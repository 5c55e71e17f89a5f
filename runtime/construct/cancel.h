// SPDX-License-Identifier: Apache-2.0
// Cancellation (section 16) of a parallel region, of the worksharing region that the team is in, or
// of a taskgroup. Threads notice it at cancellation points and at barriers.
//
// A cancelled loop or sections region has no record of its own that could hold the cancellation,
// because compilers divide static loops without the runtime. But the region ends with a barrier
// (nowait is not allowed then). So the team remembers the barrier that ends it, and the
// cancellation expires when that barrier opens. A preceding loop with nowait that some threads have
// not left yet cannot be told apart from it: at a cancellation point there they take the
// cancellation for their own.
#pragma once

#include "team/members/barrier.h"
#include "team/model/team.h"

namespace bobbin {

enum class Cancellable : uint8_t { Parallel, Loop, Sections, Taskgroup };

// Has the innermost region of that kind been cancelled? Then the thread must go to its end.
bool is_cancelled(Thread& thread, Cancellable region);

// True: the region is cancelled, and the thread must go to its end.
bool cancel(Thread& thread, Cancellable region);

// The barrier at the end of a region that may have been cancelled, or inside a parallel region that
// may have been cancelled. True: the parallel region has been cancelled.
bool cancellable_barrier(Thread& thread, ompt_sync_region_t kind);

}  // namespace bobbin
