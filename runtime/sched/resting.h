// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sched/worker.h"

// The kernel thread of a spare worker that ends rests until it is woken to be that of a new one, or
// until the last root ends. What the kernel ties to a kernel thread is the program's: when that
// ends, reads that an OpenMP thread has submitted there by io_uring would be canceled, and children
// killed that are to die with their parent (PR_SET_PDEATHSIG). And to make one takes longer than
// what many are for. Nobody else knows of it while it rests: it has no worker's record, no stack
// but its own, and no fiber is resumed there.
namespace bobbin {

// The kernel thread's: returns the worker that it is to be, or nullptr if it is to end; at once if
// there is no root any more.
Worker* rest();

// Wakes one that rests. False: there is none.
bool wake_resting(Worker& worker);

// Lets them all end.
void end_resting();

}  // namespace bobbin
