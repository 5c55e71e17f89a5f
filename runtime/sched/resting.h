// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sched/worker.h"

// Where the monitor has sent a spare worker it will soon send more, and to make and end a kernel
// thread takes longer than what many of them are for. So the kernel thread of a spare that ends
// rests a while, until it is woken to be that of a new one. Nobody else knows of it meanwhile: it
// has no worker's record, no stack but its own, and no fiber is resumed there.
namespace bobbin {

// The kernel thread's: returns the worker that it is to be, or nullptr if it is to end.
Worker* rest();

// Wakes one that rests. False: there is none.
bool wake_resting(Worker& worker);

// Lets them all end.
void end_resting();

}  // namespace bobbin
