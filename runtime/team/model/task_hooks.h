// SPDX-License-Identifier: Apache-2.0
// What teams ask of tasks, and what tasks ask of teams.
#pragma once

#include "platform/atomic.h"

namespace bobbin {

struct Task;
struct Team;
struct Thread;

// Defined in the task layer, bound when linking.

// Runs one task that the task scheduling constraint (section 12.9) allows the thread to begin
// within its current one. False: it found none.
bool run_a_task(Thread& thread);

// Runs one or a few tasks, at a barrier or at the end of a region, where nothing constrains the
// thread.
bool run_tasks_at_barrier(Thread& thread);

// May tasks of regions that begin from now on block (task/modes/blocking/blocking.h)?
inline Atomic<bool> tasks_may_block{false};

// The region begins: lets those modes take part that its ICVs ask for (team/model/mode.h), and no
// others.
void begin_modes(Team& team);

// The end of the region: runs tasks until none of those that have left the thread is still away.
void await_returners(Thread& thread);

// Are tasks queued that a thread of the team could try to take? This is a hint. Team::tasks_offered
// is the same hint for other threads: it is set when a task is queued, and cleared by a thread of
// the team that then finds none.
//
// Without the offer nobody searches the members' deques. Otherwise all threads of a large team
// would search the deques of all. No task is forgotten. The maker of a task queues it and looks at
// the offer after a fence; whoever withdraws the offer searches the deques after one. So one of the
// two makes the offer again, and looks for sleepers after another fence. A thread says that it
// sleeps, and looks at the offer after a fence. So it sees the offer, or is seen.
bool tasks_queued(const Team& team);

// Have all deferred tasks of the team ended? The answer is exact if no thread of the team is
// outside this barrier (or the join), because then only tasks make tasks.
bool tasks_quiescent(const Team& team);

// The structured block of the current task has ended. The program has the task's descriptor and
// calls this if the task has moved or has extras (bobbin/inline/task.h).
void end_moved_task();

// Gives back what an implicit task of the last region has acquired: ICVs of its own, dependences.
void release_extras(Task& task);

// The region was cancelled, and all threads have left it: gives back the groups that implicit tasks
// were in.
void give_back_groups(Team& team);

// The other direction: a task was queued, and a sleeper should wake and look for it.
void wake_for_tasks(Team& team, const Thread& maker);

// The same, but wakes only a member that rests, or a helper that continues as one.
void wake_resting(Team& team, const Thread& caller);

}  // namespace bobbin
