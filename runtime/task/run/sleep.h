// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "team/thread.h"

namespace bobbin {

// How it is with a thread that looks for a task.
enum class Sleep : uint8_t {
  None,
  Announced,  // its bit in Barrier::asleep is set
  Ended,      // it has been called, for a task that may not be the one that it finds
};

// The thread has found a task.
void sleep_no_more(Thread& thread, Sleep sleep);

// The thread, which sleeps no more, was called for a task and has begun none: others should come
// and look.
void pass_wake_on(Thread& thread);

}  // namespace bobbin
