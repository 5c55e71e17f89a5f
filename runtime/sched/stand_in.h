// SPDX-License-Identifier: Apache-2.0
// What a root needs so that what its kernel thread carries can give way (sched/give_way.h): a fresh
// record for the root, registered, with a loop to go to; and a kernel thread that stands by to
// carry on with the old one.
//
// Invariant: the monitor provides both, then publishes the record (Worker::reserve). Whoever takes
// it from there, the root's own kernel thread in a signal handler or where the root ends, has the
// stand-in, too: wakes it once, with the old record, or gives both back.
#pragma once

#include "sched/worker.h"

namespace bobbin {

// By the monitor: sees to it that the root, which is ready, comes back to its kernel thread.
void recall_root(Worker& worker);

// On the root's kernel thread, nothing of which may be interrupted: makes `fresh`, the reserve that
// has just been taken, the root's record in all that says where the root is.
void take_the_place(Worker& fresh, Worker& worker);
// Then, on the root's stack: the stand-in goes on with the old record.
void hand_over_displaced(Worker& worker, Worker& fresh);

// The root ends.
void give_back_reserve(Worker& worker);

}  // namespace bobbin
