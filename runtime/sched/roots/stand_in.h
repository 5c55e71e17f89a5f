// SPDX-License-Identifier: Apache-2.0
// What a root needs so that the thread that its kernel thread carries can give way
// (sched/roots/give_way.h): a fresh, registered record for the root, with a loop; and a kernel
// thread that stands by to carry on with the old record.
//
// Invariant: the monitor provides both, then publishes the record (Worker::reserve). The root's own
// kernel thread takes it from there, in a signal handler or when the root ends. Then it has the
// stand-in, too. It wakes the stand-in once, with the old record, or gives both back.
#pragma once

#include "sched/workers/worker.h"

namespace bobbin {

// By the monitor: makes sure that the root, which is ready, comes back to its kernel thread.
void recall_root(Worker& worker);

// On the root's kernel thread, with all signals blocked: makes `fresh`, the reserve that has just
// been taken, the root's record in everything that says where the root is.
void take_the_place(Worker& fresh, Worker& worker);
// Then, on the root's stack: the stand-in goes on with the old record.
void hand_over_displaced(Worker& worker, Worker& fresh);

// The root ends.
void give_back_reserve(Worker& worker);

}  // namespace bobbin
