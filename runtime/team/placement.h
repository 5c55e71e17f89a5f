// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "env/icv.h"
#include "team/team.h"

// Thread affinity (section 10.1.3). Where binding is asked for, each OpenMP thread is a kernel
// thread (init_pool chooses the provider accordingly): a fiber goes to whatever worker is free, a
// bound thread must not.
namespace bobbin {

// Gives the threads of a team that is about to run their places and partitions; the primary thread
// gets its own back at the join.
void assign_places(Thread& primary, Team& team, ProcBind policy);

// The initial thread of a contention group: the first place, all places.
void assign_initial_place(Thread& thread);

// Where the thread is, but free to use all places for the teams that it forks.
Placement among_all_places(const Placement& here);

// Binds the calling kernel thread, which carries `thread`, to the thread's place, if that has
// changed.
void move_to_place(Thread& thread);

// OMP_DISPLAY_AFFINITY (section 21.2.4): the line of a thread that begins an implicit task, if its
// place or its team have changed since the last one. Answered by the construct layer, which has the
// format's fields.
void tell_affinity_change();

}  // namespace bobbin
