// SPDX-License-Identifier: Apache-2.0
// Continuation stealing: under creation=continuation an untied task runs as a continuation, on a
// stack of its own. When it makes a child, the child begins at once as another continuation. The
// rest of the parent goes into the thread's queue as the youngest item; the parent's descriptor
// stands for it. A thief takes it as it would take a task, and continues it. (Mohr, Kranz and
// Halstead, LFP 1990; Frigo, Leiserson and Randall, PLDI 1998; the stacks form a cactus and are
// never copied.)
//
// Only the stack moves. Thread number, member and thread pointer are those of the thread that
// continues it. So no function of the runtime keeps a Thread over a call that may leave the thread:
// such functions return the thread on which they come back.
//
// A thread executes continuations on top of a base. A base is a frame on a stack that is no
// continuation's, or on that of a continuation whose task cannot leave just now. The thread goes
// from continuation to continuation. When a task has ended, the thread goes on to the youngest item
// of its queue if that was queued since the base began and is not tied. Otherwise, and always with
// order=fifo, it returns to the base.
//
// Invariant: the context of a continuation is at any time in exactly one of these states.
//   running   `thread` executes it; it is that thread's `continuation`, or lies below its base
//   queued    it is in a queue, once. The queue decides which thread takes it out; that one runs it
//   waiting   kContinuationWaiter counts it in the count that is to become zero. The thread that
//             makes the rest of that word zero, and no other, queues it
//   free      it is in a pool
// A context leaves "running" only after the switch, when all of it is on its stack: the context
// that the thread has come to hands it on (settle()). Otherwise a thief could begin what is still
// running.
//
// No deadlock: a task that waits for its children holds no thread if it runs as a continuation. All
// other tasks stay where they have begun, above older frames, and wait for tasks that began later.
// Tied tasks, which not every thread may begin, go into the team's shared queue: in a deque they
// would hide from a thread what lies behind them.
#pragma once

#include "task/model/continuation.h"

namespace bobbin {

// So many are enough in a thread's queue; more children run in place.
inline constexpr int64_t kMostContinuations = 64;

// Says once that stacks cannot be exchanged here, so that untied tasks are created as others are.
void tell_continuations_missing();

void init_continuations();

// nullptr: there are too many.
Continuation* take_continuation(Thread& thread);
void give_continuation(Thread& thread, Continuation& continuation);

// For a task whose maker cannot leave its thread.
void run_as_continuation(Thread& thread, Continuation& continuation, Task& task);

// The current task makes way for its child. Returns when the current task goes on, on some thread.
void make_way(Thread& thread, Continuation& continuation, Task& child);

}  // namespace bobbin
