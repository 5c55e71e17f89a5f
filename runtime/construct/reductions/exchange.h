// SPDX-License-Identifier: Apache-2.0
// The threads of a team show each other a pointer each. Each thread writes its own place of an
// array before the barrier of begin_exchange(), and reads the others after it. The array lives
// until all have called end_exchange().
#pragma once

#include "team/model/thread.h"

namespace bobbin {

// The array, by the threads' numbers. Includes a barrier.
void* const* begin_exchange(Thread& thread, void* own);
// The same where the parallel region may have been cancelled. Null: it has, so not all threads
// come, and end_exchange() is not to be called.
void* const* begin_cancellable_exchange(Thread& thread, void* own);
// Includes a barrier.
void end_exchange(Thread& thread);

}  // namespace bobbin
