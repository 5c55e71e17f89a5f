// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "team/model/thread.h"

namespace bobbin {

// The state of a thread that looks for a task.
enum class Sleep : uint8_t {
  None,
  Announced,  // its bit in Barrier::asleep is set
  Ended,      // it has been woken, for a task that may not be the one that it finds
};

// The thread has found a task.
void sleep_no_more(Thread& thread, Sleep sleep);

// The thread sleeps no more. It was woken for a task and has begun none: another thread should wake
// and look.
void pass_wake_on(Thread& thread);

}  // namespace bobbin
