// SPDX-License-Identifier: Apache-2.0
// A root runs on its own kernel thread and on no other. While the root waits, the kernel thread
// carries other threads; one of those may compute, or block in the kernel, for as long as it likes.
// If the root becomes ready meanwhile, the carried thread gives way: a signal handler on that
// kernel thread leaves it suspended where it was interrupted, and switches to the root. Another
// kernel thread continues in the handler, which returns to the interrupted code; a system call
// begins again there (SA_RESTART, platform/signals/failed_call.h).
//
// The interrupted code may be in the middle of the runtime, or of a function of the C library that
// the runtime has called, and hold pointers to the worker that carries it. So that worker's record
// goes along with it, including the loop: from then on it belongs to a spare. The root gets a fresh
// record, which replaces the old one in everything that says where the root is.
//
// The interrupted code may hold any lock of the C library (its allocator's, that of the list of
// stacks), and a thread with a lock of the runtime may wait for that one, for example in fork(). So
// giving way needs no lock, allocation or wait. Before the nudge the monitor has provided the fresh
// record, in a slot of the registry which the old one takes over, and a kernel thread that stands
// by (the stand-in).
//
// Invariant: the old record has one kernel thread at a time. The root hands it to the stand-in, on
// the root's stack, when the registers of what gave way are all on the stack that was left
// (Worker::arrive). A root's record has a stand-in as long as it has a reserve.
//
// Code inside of the runtime itself does not give way, because it may be about to exchange stacks.
// Code on an alternate stack does not either, because that stack belongs to the kernel thread. The
// monitor sends another nudge later.
#pragma once

#include "sched/workers/worker.h"

namespace bobbin {

// In a signal handler on the kernel thread of a root: what it carries gives way if the root is
// ready. Returns when the interrupted code continues, perhaps on another kernel thread.
void give_way(Worker& worker, void* context);

// Called first on the kernel thread that takes the place: continues what gave way, and returns when
// the worker's loop has ended.
void carry_on_displaced(Worker& worker);

}  // namespace bobbin
