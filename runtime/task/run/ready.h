// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/model/team.h"

// Where ready tasks wait for a thread.
namespace bobbin {

// Puts a deferred task whose predecessors have completed where the team's threads find it. The
// calling thread need not be of that team. False: no memory, and the caller must begin the task.
[[nodiscard]] bool queue_ready(Thread& thread, Task& task);

// Puts it into the member's own queue, as its team's policy says. False: no memory.
[[nodiscard]] bool push_to_queue(Member& member, Task& task);

// Something was queued: a sleeping thread should wake and look.
void tell_about_task(Thread& thread, Team& team);

}  // namespace bobbin
