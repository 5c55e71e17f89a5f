// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/team.h"

namespace bobbin {

// Puts a deferred task whose predecessors have completed where the team's threads find it, by the
// calling thread if it is of that team.
void make_ready(Thread& thread, Task& task);

// In the member's own queue, as its team's policy has it. False: no memory.
[[nodiscard]] bool push_to_queue(Member& member, Task& task);

// Something was queued: who sleeps should come and look.
void tell_about_task(Thread& thread, Team& team);

// For a task that was taken from a queue: executes it, unless others exclude it (mutexinoutset).
void begin_task(Thread& thread, Task& task);

// Executes a deferred task on this thread and completes it.
void execute(Thread& thread, Task& task);

// Runs some ready children of the current task that are known to be short, if there are any at
// hand: in the own deque, or in one that holds several.
bool run_short_children(Thread& thread);

// Deferred tasks of the team that have not ended: exact only where tasks_quiescent() is.
uint64_t tasks_under_way(const Team& team);

// The waits of taskwait and taskgroup: runs tasks that the constraint allows, else sleeps until
// `waiting` falls to zero. `waiter_bit` is set in it while the thread sleeps.
void wait_for_zero(Thread& thread, Atomic<uint32_t>& waiting, uint32_t waiter_bit);

// No deferred child of the task is under way. Asked by the thread that executes it.
inline bool childless(const Task& task) { return task.children.load(acquire) == 0; }

// Nor anything else that a new child could depend on.
inline bool order_is_empty(const Task& task) { return childless(task) && !task.order_goes_beyond; }

// Returns the thread that goes on (task/strand.h).
Thread& taskwait(Thread& thread);
void taskyield(Thread& thread);

}  // namespace bobbin
