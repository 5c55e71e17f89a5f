// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/model/team.h"

// Threads as fibers: a stack and a TLS block for each. For the meaning of each function see
// sched/workers/provider.h.
namespace bobbin {

bool start_fiber(Thread& thread, Thread& forking);
void end_fiber(Thread& thread);
void call_as_fiber(Thread& thread, void (*function)(Thread&));

// These are for fibers that any worker may carry. The team shows a ticket, whose parts workers
// claim.
void launch_fibers(Team& team, Worker& worker);
void call_worker_for_tasks(Team& team, const Thread& caller);

}  // namespace bobbin
