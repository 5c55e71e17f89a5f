// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "env/icv.h"
#include "team/model/team.h"

// Thread affinity (section 10.1.3): which thread belongs to which place. A thread that is a fiber
// is carried only by workers of its place (sched/workers/bound_places.h). One that is a kernel
// thread is bound itself.
namespace bobbin {

// Gives the threads of a team that is about to run their places and partitions. The primary thread
// gets its own placement back at the join. Usually they have been given them before; then nothing
// is written to the other threads, which may be in the caches of other processors.
void assign_places(Thread& primary, Team& team, ProcBind policy);

// Gives the thread a place, and all places as its partition. The initial thread of a contention
// group gets the first place; its free agents get those that follow.
void assign_initial_place(Thread& thread, unsigned place);

// The thread's place, with all places as the partition for the teams that it forks.
Placement among_all_places(const Placement& here);

// Binds the calling kernel thread, which carries `thread`, to the thread's place, if that has
// changed.
void move_to_place(Thread& thread);

// OMP_DISPLAY_AFFINITY (section 21.2.4): displays the line of a thread that begins an implicit
// task, if its place or its team have changed since the last line. Defined in the construct layer,
// which has the format's fields.
void tell_affinity_change();

}  // namespace bobbin
