// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/team.h"

// The life of a member in one region: its structured block, the tasks it helps with, its rest.
namespace bobbin {

// Sets the member's thread up as executing the region's implicit task.
void begin_member(Member& member, Team& team);

// The structured block and, after it, tasks while there are any. By the member's thread.
void run_member(Member& member);

// The member rests, and may be adopted at once: nobody may be on its thread's stack any more,
// unless the kernel thread is its thread's for life.
void rest_after_region(Member& member);

// For team/visit.h. The member rests: the worker adopts it, and it handles its signals. False: its
// region is over.
bool adopt_for_signals(Member& member, Team& team, Worker& worker);
// The thread, which nobody carries, handles its signals on its stack.
void call_on_its_stack(Thread& thread, Worker& worker);

// One of those who may touch the region does so no more. The last one wakes the primary thread.
void leave_region(Team& team);

// For the kernel provider, where a thread adopts no other member than its own: the caller's, which
// rests in this region, runs tasks and rests again. False: the region is over.
bool rise_for_tasks(Member& member, Team& team, uint64_t region);

}  // namespace bobbin
