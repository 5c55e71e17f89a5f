// SPDX-License-Identifier: Apache-2.0
// The barrier of a team (section 15.3). barrier_state.h has its protocol.
#pragma once

#include "omp-tools.h"
#include "tool/events.h"

namespace bobbin {

struct Team;
struct Thread;

// Waits for all threads of the team and for its tasks. True: the region was cancelled and the
// barrier did not open, or need not open. The caller should go to the region's end. If the
// program's code has no way to go there, it continues without having waited: the threads at the end
// will not come here.
bool barrier_wait(Thread& thread);

// The same, and a tool is told of the barrier.
bool watched_barrier_wait(Thread& thread, ompt_sync_region_t kind);
inline bool barrier_wait(Thread& thread, ompt_sync_region_t kind) {
  if (tool::watched) [[unlikely]]
    return watched_barrier_wait(thread, kind);
  return barrier_wait(thread);
}

// Releases all waiting threads, because the region was cancelled.
void barrier_cancel(Team& team);

}  // namespace bobbin
