// SPDX-License-Identifier: Apache-2.0
// Threads that keep a kernel thread.
//
// The kernel keeps some things for a kernel thread: its alternate signal stack, its identity for
// the file system, no_new_privs, its processor time, the list of robust mutexes that it holds. A
// program means its thread. So a thread that takes hold of such a thing gets a kernel thread of
// its own, which carries this thread and no other one from then on, as with the kernel provider.
// The other threads stay fibers. The thread moves before its call reaches the kernel.
//
// Such a thread is kept. It has a home (Fiber::home), as a root has one: a worker's record of the
// kind Thread. Whoever makes it ready, or begins its part in a region, puts it into `home_ready`
// there (enqueue()), and its kernel thread continues it. Where it waits, its kernel thread sleeps
// in it (FiberState::Parked). Between its regions its kernel thread waits for the next one, with
// the thread's thread pointer and signal mask: a handler that runs there runs as the thread.
//
// A root has a kernel thread already. It is kept in this sense: its kernel thread carries no other
// thread any more, but sleeps while the root waits.
//
// Invariants:
//   1. `carries_others` is false in the record of a kernel thread that has, or may have, a state of
//      its own. Written by that kernel thread, or before it exists. No other fiber than its own is
//      ever continued, begun or adopted there.
//   2. A kernel thread of which `carries_others` is true has the state of the process: it was made
//      by another such one, or by a root that had not yet taken hold of anything. So a kept thread
//      that hands its state down starts no kernel thread for the pool; the monitor does.
//   3. All that lies with a kept thread's record (open teams; the ready fibers of a root's group)
//      is covered as sched/README.md says: before the thread sleeps, another worker is sent for it,
//      or the monitor finds it. The inbox of a home is closed, so no fiber lies there.
//   4. One thread at a time owns a kept thread that has no part in a region, by the same claims as
//      any fiber (Team::unbegun excepted, where a kept thread never shows). Only that owner stores
//      it in `home_ready`.
//
// In the child of a fork only the thread that called it has a kernel thread. The others, as far as
// the child still uses them, are fibers there again.
#pragma once

#include "sched/workers/worker.h"

namespace bobbin {

// Makes a kernel thread for a fiber, which starts with the state of the calling kernel thread, and
// makes that the fiber's home. Called by the fiber itself, which then goes there by go_home(), or
// by the owner of a fiber that has not begun. False: none is to be had.
bool make_home(Fiber& fiber);

// The calling fiber goes on at its home. Everything that depends on the worker has to be asked
// again.
void go_home(Fiber& fiber);

// The fiber, which the caller owns, goes on at its home, or begins there.
void send_to_its_home(Fiber& fiber);

// The fiber, which has no part in a region, will not be continued any more. Returns when its kernel
// thread has ended. The fiber has no home from then on.
void end_home(Fiber& fiber);

// The calling kernel thread, a root's, carries its root only from now on.
void carry_only_the_root(Worker& root);

// The caller's thread is about to sleep in its kernel thread: sends another worker for what lies
// with its own, unless enough are at work.
void send_in_its_place(Worker& worker);

// For such a kernel thread, in loop.cpp: waits for its thread, or returns nullptr when the home is
// to end; and carries the thread until its part has ended.
Fiber* wait_at_home(Worker& home);
void carry_at_home(Worker& home, Fiber& fiber);

// Has the calling thread a state that kernel threads made by it would inherit?
bool caller_hands_down();

void init_kept();

}  // namespace bobbin
