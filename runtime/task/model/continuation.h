// SPDX-License-Identifier: Apache-2.0
// The part of continuations that any part of the task layer may need. How they are stolen, and
// which invariant holds for them, is in task/modes/continuation_stealing.h; its source file defines
// the functions here.
#pragma once

#include "fiber/exception_state.h"
#include "fiber/stack.h"
#include "team/team.h"

namespace bobbin {

// The stack and the registers of an untied task. Any thread may execute the rest of the task.
// Type-stable: pooled for ever, like the stack.
struct Continuation {
  void* sp = nullptr;  // where its registers lie while it does not run
  Stack* stack = nullptr;
  const char* limit = nullptr;
  void (*function)(void*) = nullptr;
  Task* task = nullptr;
  Team* team = nullptr;
  Relaxed<Thread*> thread{nullptr};
  bool stays = false;  // the task uses something that belongs to the thread
  ExceptionState exceptions;
  Continuation* next = nullptr;  // link in a pool
};

// Does the current task have a stack on which it may leave the thread?
inline bool may_leave_thread(const Thread& thread) {
  return thread.task->own_stack && !thread.continuation->stays;
}

// The current task leaves its thread until the count is zero. Returns the thread that goes on.
Thread& leave_until_zero(Thread& thread, Atomic<uint32_t>& waiting);

// Queues the continuation that waited. Called by any thread.
void resume_continuation(Continuation& continuation);

// Executes the task, or continues it, and returns when the thread has nothing left of what that led
// to. False: no stack is left, and the task runs in place.
bool run_as_continuation(Thread& thread, Task& task);

// The current task has taken the address of something that belongs to the thread, so it stays
// there.
inline void stay_on_thread(Thread& thread) {
  if (thread.task->own_stack) thread.continuation->stays = true;
}

inline Thread& runner_of(const Task& task) {
  return task.own_stack ? *task.continuation->thread : *task.runner;
}

}  // namespace bobbin
