// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/team.h"

// The life of a member in one region: its structured block, the tasks it helps with, its rest.
namespace bobbin {

// Sets the member's thread up as executing the region's implicit task.
void begin_member(Member& member, Team& team);

// The structured block and, after it, tasks while there are any; then the member rests. The caller
// is the member's thread. leave_region() is still to be called.
void run_member(Member& member);

// One of those who may touch the region does so no more. The last one wakes the primary thread.
void leave_region(Team& team);

// Runs tasks of the region as a resting member: the one given, or any. Called with the member's own
// thread current (kernel provider), or on a worker's loop. False: nothing to adopt any more.
bool adopt(Team& team, Member* member);

}  // namespace bobbin
