// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/team.h"

// The life of a member in one region: its structured block, the tasks it helps with, its rest.
namespace bobbin {

// A thread keeps so many tasks for thieves; while it has them, further ones run at once in place. A
// small number: each deferred task costs an allocation and a steal, and a thief that finds none is
// quick to come back.
inline constexpr int64_t kEnoughDeferred = 4;

// Sets the member's thread up as executing the region's implicit task.
void begin_member(Member& member, Team& team);

// The structured block and, after it, tasks while there are any; then the member rests. The caller
// is the member's thread. leave_region() is still to be called.
void run_member(Member& member);

// `count` of those who may touch the region do so no more. The last one wakes the primary thread.
void leave_region(Team& team, unsigned count);

// Runs tasks of the region as a resting member: the one given, or any. Called with the member's own
// thread current (kernel provider), or on a worker's loop. False: nothing to adopt any more.
bool adopt(Team& team, Member* member);

}  // namespace bobbin
