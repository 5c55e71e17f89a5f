// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/run/find.h"
#include "task/run/modes.h"

namespace bobbin {

// find_task() for teams in a mode.
Found find_in_mode(Thread& thread, Completions& completions);

// Takes a task that is in no member's queue, or returns nullptr.
Task* find_beside(Thread& thread);

}  // namespace bobbin
