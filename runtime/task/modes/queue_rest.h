// SPDX-License-Identifier: Apache-2.0
// Queues the rest of a task that has left its thread: a continuation, or a resumable task.
#pragma once

#include "team/model/team.h"

namespace bobbin {

enum class Queue : bool { Shared, Own };

// Puts the rest of a begun task of the team into the thread's own queue, or into the team's.
void queue_rest(Thread& thread, Task& task, Team& team, Queue queue);

// The same for a task that has waited. Called by any thread.
void queue_rest_of_waiter(Task& task, Team& team);

}  // namespace bobbin
