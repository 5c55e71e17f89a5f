// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/team.h"

namespace bobbin {

// The team's shared queue, ordered by priority (section 12.4), first in, first out among equals.
// Tasks of a priority above zero go here, and those made ready by a thread of another team (a
// fulfilled event, say), which has no deque in this one. All of these have extras.
void push_by_priority(Team& team, Task& task);

// The task of highest priority; nullptr when the queue is empty, which costs a load.
Task* pop_by_priority(Team& team);

}  // namespace bobbin
