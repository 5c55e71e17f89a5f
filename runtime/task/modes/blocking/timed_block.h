// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "team/model/thread.h"

namespace bobbin {

// The current task blocks for at least `ns` nanoseconds. A kernel thread of its own lets such tasks
// go on. It exists while there are any.
void block_for(Thread& thread, uint64_t ns);

// The calling kernel thread sleeps. This is no scheduling point.
void sleep_for(uint64_t ns);

void init_timed_blocks();

}  // namespace bobbin
