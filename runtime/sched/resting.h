// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sched/park.h"
#include "sched/worker.h"

// The kernel thread of a spare worker that ends rests until it is woken to be that of a new one, or
// until the last root ends. What the kernel ties to a kernel thread is the program's: when that
// ends, reads that an OpenMP thread has submitted there by io_uring would be canceled, and children
// killed that are to die with their parent (PR_SET_PDEATHSIG). And to make one takes longer than
// what many are for. Nobody else knows of it while it rests: it has no worker's record, no stack
// but its own, and no fiber is resumed there.
namespace bobbin {

// One such kernel thread's, on its stack as long as it lives. Who wakes it may be late with the
// futex call, after it has gone on or even ended: a wake-up in vain, or none.
struct Resting {
  Parking parking;
  Worker* worker = nullptr;
  Resting* next = nullptr;  // in the pool, under its lock
};

// The kernel thread's: returns the worker that it is to be, or nullptr if it is to end; at once if
// there is no root any more.
Worker* rest(Resting& self);

// Wakes one that rests. False: there is none.
bool wake_resting(Worker& worker);

// One that rests is put aside for the caller, who wakes it or puts it back; nullptr: there is none.
Resting* put_aside_resting();
void put_back_resting(Resting& resting);
// It is to be that worker's, or to end. Takes no lock: also for a signal handler, whatever that has
// interrupted.
void wake_put_aside(Resting& resting, Worker* worker);

// Lets them all end, except those that are put aside.
void end_resting();

}  // namespace bobbin
