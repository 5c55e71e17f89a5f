// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "task/run/sleep.h"
#include "team/model/team.h"

namespace bobbin {

// run_a_task() for a thread that waits. Before the task begins, the thread clears its bit in
// Barrier::asleep. If another thread has already cleared the bit, this thread was woken for a task.
// Then it wakes one more sleeper if tasks remain queued, because the task that it was woken for may
// still be queued, and the task that it begins may wait for that one.
bool run_a_task(Thread& thread, Sleep sleep);

// Runs some ready children of the current task that are known to be short, if there are any in the
// own deque, or in another one that holds several tasks.
bool run_short_children(Thread& thread);

// The weight of the team's deferred tasks that have not ended (task/memory/bulk.h). It is exact
// only where tasks_quiescent() is.
uint64_t weight_under_way(const Team& team);

}  // namespace bobbin
