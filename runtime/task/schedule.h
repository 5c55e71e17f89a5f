// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/team.h"

namespace bobbin {

// Puts a deferred task whose predecessors have completed where the team's threads find it, by the
// calling thread if it is of that team.
void make_ready(Thread& thread, Task& task);

// In the member's own queue, as its team's policy has it. False: no memory.
[[nodiscard]] bool push_to_queue(Member& member, Task& task);

// The same for a task that the thread may begin, and tells of it. Without memory it begins the task
// at once, which is in order, too.
void queue_or_begin(Thread& thread, Task& task);

// Something was queued: who sleeps should come and look.
void tell_about_task(Thread& thread, Team& team);

// Is the thread's bit in Barrier::asleep set?
enum class Announced : bool { No, Yes };

// For a thread that waits and has announced that it sleeps: run_a_task(), which takes the bit back
// before the task begins.
bool run_a_task_announced(Thread& thread);

// Takes the thread's bit back, for it has found a task. Called meanwhile, it may have been for
// another one.
void sleep_no_more(Thread& thread);

// The thread, which sleeps no more, was called for a task and has begun none: others should come
// and look.
void pass_call_on(Thread& thread);

// Runs some ready children of the current task that are known to be short, if there are any at
// hand: in the own deque, or in one that holds several.
bool run_short_children(Thread& thread);

// Deferred tasks of the team that have not ended: exact only where tasks_quiescent() is.
uint64_t tasks_under_way(const Team& team);

}  // namespace bobbin
