// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sched/park.h"
#include "sched/worker.h"

// A kernel thread stands by when its spare worker ends: it sleeps until a new spare worker needs
// one, or until the last root ends. There are two reasons to keep it. What the kernel ties to a
// kernel thread is the program's: when the kernel thread ends, reads that an OpenMP thread has
// submitted there by io_uring are canceled, and children are killed that are to die with their
// parent (PR_SET_PDEATHSIG). And making a kernel thread takes longer than what many spares are for.
// A kernel thread that stands by has no worker's record and no stack except its own, and no fiber
// is resumed there.
namespace bobbin {

// Lies on the stack of the kernel thread. The wake-up may come late, when that has gone on or even
// ended: then it wakes nobody, or somebody in vain.
struct StandBy {
  Parking parking;
  Worker* worker = nullptr;
  StandBy* next = nullptr;  // in the pool, under its lock
};

// Called by the kernel thread: returns the worker that it is to be; nullptr if it is to end, which
// is at once where there is no root any more.
Worker* stand_by(StandBy& self);

// Wakes one for that worker. False: there is none.
bool wake_standby(Worker& worker);

// Takes one out of the pool's list. The caller wakes it or puts it back. nullptr: there is none.
StandBy* claim_standby();
void put_back_standby(StandBy& standby);
// It is to be that worker, or with nullptr to end. Takes no lock: also for a signal handler,
// whatever that has interrupted.
void wake_claimed(StandBy& standby, Worker* worker);

// Lets all end, except those that have been claimed.
void end_standby();

}  // namespace bobbin
