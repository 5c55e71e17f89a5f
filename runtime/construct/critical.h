// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "construct/lock.h"

// Mutual exclusion by construct (sections 15.2 and 15.8.4).
namespace bobbin {

// critical without a name: one lock for the program.
extern Lock unnamed_critical;

// Atomic operations that the processor has none for; under it code of GCC combines reductions, too.
extern Lock atomic_fallback;

// Under which code of LLVM combines them. Another one, since what combines may be atomic.
extern Lock combining;

// These two are held across a fork, for a child must be able to reduce, too. A critical section is
// the program's affair, like its mutexes: whoever forks while another thread is in one leaves it
// closed in the child. After init_wait_table().
void init_critical();

}  // namespace bobbin
