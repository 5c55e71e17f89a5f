// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

struct Team;
struct Thread;

// Waits for all threads of the team and for its tasks. True: the region was cancelled and the
// barrier did not (or need not) open. The caller is to go to the region's end; where the program's
// code has no way there it goes on, without having waited: those at the end will not come here.
bool barrier_wait(Thread& thread);

// Lets go of all who wait: the region was cancelled.
void barrier_cancel(Team& team);

}  // namespace bobbin
