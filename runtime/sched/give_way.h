// SPDX-License-Identifier: Apache-2.0
// A root runs on its own kernel thread and on no other. While the root waits, the kernel thread
// carries other threads; one of those may compute, or block in the kernel, for as long as it likes.
// When the root is ready meanwhile, what is carried gives way: a signal handler on that kernel
// thread leaves it suspended, just where it was interrupted, and goes on with the root. Another
// kernel thread goes on in the handler, which returns to the interrupted code; a system call begins
// anew there (SA_RESTART).
//
// What was interrupted may be in the middle of the runtime, or of a function of the C library that
// the runtime has called, and hold pointers to the worker that carries it. So that worker's record
// goes along with it, loop and all: from then on it is a spare one's. The root gets a fresh record,
// which takes the place of the old one in all that says where the root is.
//
// What was interrupted may hold any lock of the C library (its allocator's, that of the list of
// stacks), and whoever has a lock of the runtime's may wait for that one, in fork() say. So it goes
// on without any lock, allocation or wait: before the nudge the monitor has provided the fresh
// record, in a slot of the registry which the old one takes over, and a kernel thread that stands
// by (the stand-in).
//
// Invariant: the old record has one kernel thread at a time. The root hands it to the stand-in, on
// the root's stack, when the registers of what gave way are all on the stack that was left
// (Worker::arrive). A root's record has a stand-in of its own as long as it has a reserve.
//
// Does not give way what is inside of the runtime's own code at that moment, for the code may be
// about to exchange stacks, nor what is on an alternate stack, which is the kernel thread's. The
// monitor sends another nudge later.
#pragma once

#include "sched/worker.h"

namespace bobbin {

// In a signal handler on the kernel thread of a root: what it carries gives way if the root is
// ready. Returns when it goes on, perhaps on another kernel thread.
void give_way(Worker& worker, void* context);

// The first thing on the kernel thread that takes the place: goes on with what gave way, and
// returns when the worker's loop has ended.
void carry_on_displaced(Worker& worker);

}  // namespace bobbin
