// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "task/run/sleep.h"
#include "team/team.h"

namespace bobbin {

// run_a_task() for a thread that waits. Before the task begins, the thread withdraws its bit. If
// another thread has cleared the bit, that was a call, and this thread passes it on: the task that
// it was called for may still be queued, and the task that it begins may wait for it.
bool run_a_task(Thread& thread, Sleep sleep);

// Runs some ready children of the current task that are known to be short, if there are any at
// hand: in the own deque, or in one that holds several.
bool run_short_children(Thread& thread);

// What the deferred tasks of the team weigh that have not ended (task/model/bulk.h): exact only
// where tasks_quiescent() is.
uint64_t weight_under_way(const Team& team);

}  // namespace bobbin
