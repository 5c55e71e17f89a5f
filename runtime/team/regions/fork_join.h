// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/model/team.h"

namespace bobbin {

// Takes or makes a team of up to `size` threads for a region met by `thread`. Its implicit tasks
// start with `icvs`. The team may be smaller when memory or kernel threads run out (one warning).
// nullptr: there is no memory even for a team of one.
Team* assemble(Thread& thread, unsigned size, const Icvs& icvs);

// Sets the counts to: no task has been made or has ended in the team.
void reset_task_counts(Team& team);

// Publishes the team's threads. The caller becomes thread 0 and continues.
void fork(Thread& thread, Team& team, void (*function)(void*), void* data);

// The region's end for thread 0: runs what no thread has begun, waits for what runs, and returns
// the caller to its state before the region.
void join(Thread& thread, Team& team);

}  // namespace bobbin
