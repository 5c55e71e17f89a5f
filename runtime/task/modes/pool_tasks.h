// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/run/priority.h"
#include "team/team.h"

// Tasks with threadset(omp_pool) while there are free agents (team/free_agents.h). They go into
// Team::pool_tasks, a shared queue, from which the team's threads and free agents take them. It is
// the only queue in which an agent looks.
//
// The other tasks that an agent makes or makes ready are for the team's threads alone. They go into
// Team::priority_tasks, never into the agent's deque, where they could hide the tasks behind them.
namespace bobbin {

// For queue_in_mode(). False: the task goes where tasks usually go.
bool queue_beside_agents(const Thread& thread, Team& team, Task& task);

// Takes a task that the thread may begin; nullptr: there is none.
Task* pop_pool_task(const Thread& thread);

}  // namespace bobbin
