// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sched/workers/park.h"
#include "sched/workers/worker.h"

// A kernel thread stands by when its spare worker ends: it sleeps until a new spare worker needs
// one, or until the last root ends. There are two reasons to keep it. First, the kernel ties some
// things of the program to a kernel thread. When the kernel thread ends, reads that an OpenMP
// thread has submitted there by io_uring are canceled, and children that are to die with their
// parent are killed (PR_SET_PDEATHSIG). Second, making a kernel thread takes longer than the work
// of many spares. A kernel thread that stands by has no worker's record and no stack except its
// own, and no fiber is resumed there.
namespace bobbin {

// Lies on the stack of the kernel thread. The wake-up may come late, when the kernel thread has
// continued or even ended. Then it wakes no thread, or wakes one in vain.
struct StandBy {
  Parking parking;
  Worker* worker = nullptr;
  StandBy* next = nullptr;  // in the pool, under its lock
};

// Called by the kernel thread: returns the worker that it is to be. nullptr: it is to end; it is
// told so at once if there is no root any more.
Worker* stand_by(StandBy& self);

// Wakes a kernel thread for that worker. False: none stands by.
bool wake_standby(Worker& worker);

// Takes one out of the pool's list. The caller wakes it or puts it back. nullptr: the list is
// empty.
StandBy* claim_standby();
void put_back_standby(StandBy& standby);
// Wakes it to be that worker, or to end if that is nullptr. Takes no lock, so a signal handler may
// call this, whatever it has interrupted.
void wake_claimed(StandBy& standby, Worker* worker);

// Lets all end, except those that have been claimed.
void end_standby();

}  // namespace bobbin
