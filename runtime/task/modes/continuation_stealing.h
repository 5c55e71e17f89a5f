// SPDX-License-Identifier: Apache-2.0
// Continuation stealing: under creation=continuation an untied task runs as a continuation, a stack
// of its own. When it makes a child, the child begins at once as another continuation, and the rest
// of the parent goes into the thread's queue, as its descriptor once more, where it is youngest; a
// thief takes it as it would take a task, and goes on with it. (Mohr, Kranz and Halstead, LFP 1990;
// Frigo, Leiserson and Randall, PLDI 1998; the stacks are those of a cactus, never copied.)
//
// Only the stack moves. Thread number, member and thread pointer are those of the thread that goes
// on with it, so nothing of ours keeps a Thread over a call that may leave it: such functions
// return the thread that they come back on.
//
// A thread executes continuations on top of a base: a frame on a stack that is not one, or as a
// continuation whose task cannot leave just now. It goes from continuation to continuation; when a
// task has ended, on to the youngest item of its queue if that has been put there since, and is not
// tied; else back to the base.
//
// Invariant: the context of a continuation is at any time in exactly one hand.
//   running   `thread` executes it; it is that thread's `continuation`, or lies below its base
//   queued    in a queue, once. Whoever takes it out, which the queue settles, runs it
//   waiting   counted in by kContinuationWaiter in the count that is to become zero. Whoever makes
//   the
//             rest of that word zero, and no one else, queues it
//   free      in a pool
// It passes from "running" on only after the switch: the context that the thread has come to does
// it (settle()), when all of the other one is on its stack. Until then a thief could begin what is
// still running.
//
// No deadlock: what waits for its children holds no thread, if it runs as a continuation. All
// others stay where they have begun, above older frames, and wait for what began later. Tied tasks,
// which not every thread may begin, go into the team's shared queue: in a deque they would hide
// from a thread what lies behind them.
#pragma once

#include "task/model/continuation.h"

namespace bobbin {

// Of so many a thread's queue has enough; more children run in place.
inline constexpr int64_t kMostContinuations = 64;

// What a thread comes back to.
struct ContinuationBase {
  ContinuationBase* outer;
  Continuation* continuation;
  Task* task;
  const char* stack_limit;
  int64_t queue_end;  // what is beyond has been queued since
  void* sp = nullptr;
  ExceptionState exceptions = {};
  Task* next = nullptr;  // to be executed there
};

// Stacks cannot be exchanged here, and all tasks run in place: said once.
void tell_continuations_missing();

void init_continuations();

// nullptr: there are too many.
Continuation* take_continuation(Thread& thread);
void give_continuation(Thread& thread, Continuation& continuation);

// For the task's maker, which cannot leave its thread.
void run_as_continuation(Thread& thread, Continuation& continuation, Task& task);

// The current task makes way for its child. Returns when it goes on, on some thread.
void make_way(Thread& thread, Continuation& continuation, Task& child);

}  // namespace bobbin
