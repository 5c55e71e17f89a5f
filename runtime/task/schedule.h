// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

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

// How it is with a thread that looks for a task.
enum class Sleep : uint8_t {
  None,
  Announced,  // its bit in Barrier::asleep is set
  Ended,      // it has been called, for a task that may not be the one that it finds
};

// run_a_task() for a thread that waits. Before the task begins, the thread withdraws its bit. If
// another thread has cleared the bit, that was a call, and this thread passes it on: the task that
// it was called for may still be queued, and the task that it begins may wait for it.
bool run_a_task(Thread& thread, Sleep sleep);

// The thread has found a task.
void sleep_no_more(Thread& thread, Sleep sleep);

// The thread, which sleeps no more, was called for a task and has begun none: others should come
// and look.
void pass_call_on(Thread& thread);

// Runs some ready children of the current task that are known to be short, if there are any at
// hand: in the own deque, or in one that holds several.
bool run_short_children(Thread& thread);

// What the deferred tasks of the team weigh that have not ended (task/bulk.h): exact only where
// tasks_quiescent() is.
uint64_t weight_under_way(const Team& team);

}  // namespace bobbin
