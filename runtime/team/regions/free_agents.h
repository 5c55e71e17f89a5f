// SPDX-License-Identifier: Apache-2.0
// Free agents (OpenMP 6.0): threads of a contention group that are in no team and execute tasks of
// its teams, those with threadset(omp_pool). OMP_THREADS_RESERVE says how many there may be.
//
// Each is a kernel thread of its own, which the runtime starts when a task is queued for it and no
// other agent sleeps. To the scheduler it is a root: so it can fork regions, its kernel thread
// carries their threads while it waits, and its TLS block is its own. It belongs to the contention
// group of the root for which it was started, and ends with that root's thread.
//
// To execute tasks of a team, an agent takes its seat in the team: a Member behind those of the
// largest region, which each team has for each agent. So whatever belongs to a member of the team
// is there: counts of tasks made and ended, a bit in Barrier::asleep, the level, the ICVs. The
// seat's number is omp_unassigned_thread. Its deque stays empty: an agent may not execute tasks of
// the team alone, so each task that it makes goes into a queue of the team
// (task/modes/pool_tasks.h), and it takes tasks from the one for agents only.
//
// Invariant: an agent touches a team's region only as one of its Participants. The group's list has
// the teams whose region has queued such a task. A team is put there by the thread that queues the
// first one, and taken out by the primary thread after it has ended the region, both under the
// lock. The agent looks for a team, and enters its region, under the lock. So the region that it
// enters is the one for which the seats were prepared, and it ends only when the agent has left.
//
// Invariant: no task of the region is forgotten by a barrier or the join. An agent makes tasks only
// within a task, and counts them in its seat before that task ends. weight_under_way() counts the
// seats, too. When an agent has executed tasks, it wakes a sleeper if none is left, because all
// members may sleep at the barrier.
#pragma once

#include "env/icv.h"
#include "platform/locks/spinlock.h"
#include "team/model/pool_offers.h"
#include "team/model/team.h"

namespace bobbin {

// omp_unassigned_thread, as omp.h of Intel's compilers has it.
inline constexpr unsigned kUnassignedThread = -2U;

struct FreeAgent {
  FreeAgents* group = nullptr;
  unsigned index = 0;
  Thread* thread = nullptr;  // written before it announces for the first time that it sleeps
  Atomic<uint32_t> gone{0};  // 1: its kernel thread has left its loop
};

// The free agents of a contention group. Type-stable, because a task that has outlived its root may
// still refer to them.
struct FreeAgents {
  PoolOffers offers;
  Atomic<bool> ending{false};
  SpinLock lock;
  // Written under the lock.
  Atomic<unsigned> started{0};
  Relaxed<unsigned> most = global_icvs().free_agents;
  Team* served = nullptr;
  FreeAgent agents[kMostFreeAgents];
};

// A task with threadset(omp_pool) is about to be made in the thread's team, in which the mode for
// such tasks takes part. False: no memory.
bool let_agents_serve(Thread& thread);

// The task has been queued.
void call_agent(FreeAgents& agents);

// The primary thread has ended the region.
void end_service(Team& team);

// The root's thread ends: executes the tasks that are queued for its free agents, and ends these.
void end_free_agents(Thread& root);
// No task is left that belongs to the root, whose record may serve another kernel thread.
void let_agents_return(Root& root);

void init_free_agents();

// A seat's counts are read by tasks_quiescent().
template <class Visit>
void each_agent_seat(const Team& team, Visit&& visit) {
  for (unsigned i = 0; i < team.agent_seats; i++) {
    Member* seat = team.members[team.capacity + i];
    if (seat != nullptr) visit(*seat);
  }
}

}  // namespace bobbin
