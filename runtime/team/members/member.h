// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/model/team.h"

// The life of a member in one region: its structured block, the tasks that it helps with, its rest.
namespace bobbin {

// Makes it a member of that team.
void belong_to(Team& team, Member& member);

// Makes the member's thread execute the region's implicit task.
void begin_member(Member& member, Team& team);

// Runs the structured block and, after it, tasks while there are any. Called by the member's
// thread.
void run_member(Member& member);

// The member rests and may be adopted at once. So no kernel thread may be on its thread's stack any
// more, except a kernel thread that is its thread's for life.
void rest_after_region(Member& member);

// For team/members/visit.h. The worker adopts a member that rests, and the member handles its
// signals. False: its region is over.
bool adopt_for_signals(Member& member, Team& team, Worker& worker);
// The thread, which no worker carries, handles its signals on its stack.
void call_on_its_stack(Thread& thread, Worker& worker);

// A worker runs one of these on the stack of a thread (the argument), which it carries: the part of
// a thread that has been claimed, or that of a resting one that has been adopted. Returns where the
// worker goes on, which has to report part_ended() there.
LeavingFor begin_claimed(void* thread);
LeavingFor rise_adopted(void* thread);

// The worker's loop switches to the thread's stack. True: the thread has ended, on this worker.
bool go_on_with(Thread& thread, Worker& worker, LeavingFor (*what)(void*));

// Are all threads of the team in the region, so that none of them rests?
inline bool all_take_part(const Team& team) {
  return team.participants.inside(team.size) >= team.size;
}

// Claims a member that rests in this region, in which the caller takes part. False: it does not.
bool take_resting(Member& member, uint64_t region);
// The same for any member of the team, or returns nullptr. The claimer lets it help with tasks.
Member* take_any_resting(Team& team, uint64_t region);

// One of the threads that may touch the region stops doing so. The last one wakes the primary
// thread.
void leave_region(Team& team);

// For the kernel provider, where a thread adopts only its own member. The caller's member, which
// rests in this region, runs tasks and rests again. False: the region is over.
bool rise_for_tasks(Member& member, Team& team, uint64_t region);

}  // namespace bobbin
