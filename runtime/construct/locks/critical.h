// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "construct/locks/lock.h"

// Mutual exclusion by construct (sections 15.2 and 15.8.4).
namespace bobbin {

// critical without a name: one lock for the program.
extern Lock unnamed_critical;

// For atomic operations that the processor does not have. Under it GCC's code also combines
// reductions.
extern Lock atomic_fallback;

// Under it LLVM's code combines reductions. It is another lock, because the combining code may
// contain atomic operations.
extern Lock combining;

// The last two locks are held across a fork, because a child must be able to reduce, too. A
// critical section is the program's affair, like its mutexes: if a thread forks while another one
// is in a critical section, the section stays locked in the child. After init_wait_table().
void init_critical();

}  // namespace bobbin
