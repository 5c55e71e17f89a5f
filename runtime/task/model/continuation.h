// SPDX-License-Identifier: Apache-2.0
// The part of continuations that any part of the task layer may need. How they are stolen, and
// which invariant holds for them, is in task/modes/continuation_stealing.h; its source file defines
// the functions here.
#pragma once

#include "fiber/context/exception_state.h"
#include "fiber/context/stack.h"
#include "team/model/team.h"

namespace bobbin {

// The stack and the registers of an untied task, or of a task that may block. Any thread may
// execute the rest of an untied task. Type-stable: pooled for ever, like the stack.
struct Continuation : Returner {
  void* sp = nullptr;  // where its registers lie while it does not run
  Stack* stack = nullptr;
  const char* limit = nullptr;
  void (*function)(void*) = nullptr;
  Task* task = nullptr;
  Team* team = nullptr;
  Relaxed<Thread*> thread{nullptr};
  bool stays = false;         // the task uses something that belongs to the thread
  bool keeps_thread = false;  // goes on only on `thread`: task/modes/blocking/blocking.h
  ExceptionState exceptions;
  Continuation* next = nullptr;  // link in a pool
  // For a debugger (debugger/bobbin_gdb): since when it has left its thread to go on there later,
  // an odd number (1: not known); 0 while it has not. And the link of the list of all
  // continuations.
  uint64_t waits_since = 0;
  Continuation* made_before = nullptr;
};

extern Continuation* newest_continuation;  // guarded by the lock of the pool

// Does the current task have a stack on which it may leave the thread?
inline bool may_leave_thread(const Thread& thread) {
  return thread.task->own_stack && !thread.continuation->stays;
}

// The current task leaves its thread until `waiting` is zero. Returns, as that task, the thread
// that continues it.
Thread& leave_until_zero(Thread& thread, Atomic<uint32_t>& waiting);

// For a continuation with `keeps_thread`: it leaves its thread. `once_saved(argument)` is called
// when its registers are on its stack. The call returns when return_to_thread() has brought the
// continuation back.
void leave_for(Thread& thread, void (*once_saved)(void*), void* argument);

// For has_returner(): goes on with the first that returned, until it leaves again or its task ends.
void run_returner(Thread& thread);

// The continuation, which has left, is to go on on its thread. Called by any kernel thread.
void return_to_thread(Continuation& continuation);

// Queues the continuation that waited. Called by any thread.
void resume_continuation(Continuation& continuation);

// Executes the task, or continues it, and returns when the thread has nothing left of what that led
// to. False: no stack is left, and the task runs in place.
bool run_as_continuation(Thread& thread, Task& task);

// The current task has taken the address of something that belongs to the thread, so it stays
// there.
inline void stay_on_thread(Thread& thread) {
  if (thread.task->own_stack) thread.continuation->stays = !thread.continuation->keeps_thread;
}

inline Thread& runner_of(const Task& task) {
  return task.own_stack ? *task.continuation->thread : *task.runner;
}

}  // namespace bobbin
