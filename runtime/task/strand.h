// SPDX-License-Identifier: Apache-2.0
// Continuation stealing: under creation=continuation an untied task runs on a strand, a stack of
// its own. When it makes a child, the child begins at once on another strand, and the rest of the
// parent goes into the thread's queue, as its descriptor once more, where it is youngest; a thief
// takes it as it would take a task, and goes on with it. (Mohr, Kranz and Halstead, LFP 1990;
// Frigo, Leiserson and Randall, PLDI 1998; the stacks are those of a cactus, never copied.)
//
// Only the stack moves. Thread number, member and thread pointer are those of the thread that goes
// on with it, so nothing of ours keeps a Thread over a call that may leave it: such functions
// return the thread that they come back on.
//
// A thread executes strands on top of a base: a frame on a stack that is not one, or on a strand
// whose task cannot leave just now. It goes from strand to strand; when a task has ended, on to
// the youngest item of its queue if that has been put there since, and is not tied; else back to
// the base.
//
// Invariant: the context of a strand is at any time in exactly one hand.
//   running   `thread` executes it; it is that thread's `strand`, or lies below its base
//   queued    in a queue, once. Whoever takes it out, which the queue settles, runs it
//   waiting   counted in by kStrandWaiter in the count that is to become zero. Whoever makes the
//             rest of that word zero, and no one else, queues it
//   free      in a pool
// It passes from "running" on only after the switch: the context that the thread has come to does
// it (settle()), when all of the other one is on its stack. Until then a thief could begin what is
// still running.
//
// No deadlock: what waits for its children holds no thread, if it runs on a strand. All others stay
// where they have begun, above older frames, and wait for what began later. Tied tasks, which not
// every thread may begin, go into the team's shared queue: in a deque they would hide from a thread
// what lies behind them.
#pragma once

#include "fiber/exception_state.h"
#include "fiber/stack.h"
#include "team/team.h"

namespace bobbin {

// Of so many a thread's queue has enough; more children run in place.
inline constexpr int64_t kMostContinuations = 64;

// Type-stable: pooled for ever, like the stack.
struct Strand {
  void* sp = nullptr;  // where its registers lie while it does not run
  Stack* stack = nullptr;
  const char* limit = nullptr;
  void (*function)(void*) = nullptr;
  Task* task = nullptr;
  Team* team = nullptr;
  Relaxed<Thread*> thread{nullptr};
  bool stays = false;  // has to do with what belongs to the thread
  ExceptionState exceptions;
  Strand* next = nullptr;  // link in a pool
};

// What a thread comes back to.
struct StrandBase {
  StrandBase* outer;
  Strand* strand;
  Task* task;
  const char* stack_limit;
  int64_t queue_end;  // what is beyond has been queued since
  void* sp = nullptr;
  ExceptionState exceptions = {};
  Task* next = nullptr;  // to be executed there
};

// Stacks cannot be exchanged here, and all tasks run in place: said once.
void tell_strands_missing();

void init_strands();

// nullptr: there are too many.
Strand* take_strand(Thread& thread);
void give_strand(Thread& thread, Strand& strand);

// Executes the task, or goes on with it, and comes back when the thread has nothing left of what
// that led to. False: there is no strand, and the task runs in place.
bool run_on_strand(Thread& thread, Task& task);

// For the task's maker, which cannot leave its thread.
void run_on_strand(Thread& thread, Strand& strand, Task& task);

// The current task makes way for its child. Returns when it goes on, on some thread.
void make_way(Thread& thread, Strand& strand, Task& child);

// Has the current task a stack to leave on?
inline bool may_leave_thread(const Thread& thread) {
  return thread.task->own_stack && !thread.strand->stays;
}

// The current task leaves its thread until the count is zero. Returns the thread that goes on.
Thread& leave_until_zero(Thread& thread, Atomic<uint32_t>& waiting);

// Queues what waited. By any thread.
void continue_strand(Strand& strand);

// The current task has taken the address of something that is the thread's: it stays there.
inline void stay_on_thread(Thread& thread) {
  if (thread.task->own_stack) thread.strand->stays = true;
}

inline Thread& runner_of(const Task& task) {
  return task.own_stack ? *task.strand->thread : *task.runner;
}

}  // namespace bobbin
