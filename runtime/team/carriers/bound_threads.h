// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/model/team.h"

// A team whose threads are bound to places (sched/workers/bound_places.h). It shows no ticket,
// because not every worker may begin every thread. Instead its threads become ready fibers of their
// places.
namespace bobbin {

// For these two see sched/workers/provider.h.
void launch_bound_threads(Team& team, Worker& worker);
void call_bound_thread(Team& team, const Thread& caller);

// There are tasks in this region: a thread that rests, if there is one, is to help with them.
void raise_bound_thread(Team& team, uint64_t region, Worker& worker);

}  // namespace bobbin
