// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/team.h"

// Where ready tasks wait for a thread.
namespace bobbin {

// Puts a deferred task whose predecessors have completed where the team's threads find it, by the
// calling thread if it is of that team. False: no memory, and the caller is to begin the task.
[[nodiscard]] bool queue_ready(Thread& thread, Task& task);

// In the member's own queue, as its team's policy has it. False: no memory.
[[nodiscard]] bool push_to_queue(Member& member, Task& task);

// Something was queued: who sleeps should come and look.
void tell_about_task(Thread& thread, Team& team);

}  // namespace bobbin
