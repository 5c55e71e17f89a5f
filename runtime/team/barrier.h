// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

struct Team;
struct Thread;

// Waits for all threads of the team and for its tasks. True: the region was cancelled and the
// barrier did not open, or need not open. The caller should go to the region's end. If the
// program's code has no way to go there, it continues without having waited: the threads at the end
// will not come here.
bool barrier_wait(Thread& thread);

// Releases all waiting threads, because the region was cancelled.
void barrier_cancel(Team& team);

}  // namespace bobbin
