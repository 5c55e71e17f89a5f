// SPDX-License-Identifier: Apache-2.0
// Tasks that block: they wait for something that is no task, such as a message, and their thread
// executes other tasks meanwhile, as many as there are.
//
// Where tasks may block, no task is executed in place, and each deferred task runs as a
// continuation of a special kind (task/model/continuation.h): it has a stack of its own and may
// leave its thread, but it goes on only there, so addresses of thread-local variables stay valid.
// It leaves wherever it waits: in block(), and for children, predecessors and taskgroups. The
// thread returns to its base (task/modes/continuation_stealing.h), which looks for tasks. When what
// it waits for has come, the continuation goes into the thread's inbox `returners`, and the thread
// is resumed. The thread looks there wherever it looks for tasks.
//
// Invariant: each continuation that has left is in exactly one of these places: the Blocker or the
// count for which it waits, the inbox, or the list `returning`, which is the thread's own. The
// atomic operation that makes what it waits for true moves it from the first to the second, and
// only one thread executes that operation. Thread::away counts them. A member does not rest while
// it has some: nobody else may continue them.
//
// No deadlock: a task that waits holds no stack below which another task waits, because each has
// its own. These tasks do hold their thread, as long as they wait: implicit tasks, undeferred
// tasks, and all tasks when no stack is left (kMostStacks). They wait on top of their frames and
// execute the tasks that the constraint allows.
//
// Blocker::word is
//   0                    nobody waits yet
//   kUnblocked           unblock() was called
//   a Thread | kThread   that thread sleeps, or executes tasks; it looks at the word itself
//   a Continuation       it has left
// block() moves 0 to one of the last two, by compare-and-swap (release: the waiter is whole).
// unblock() exchanges any of them for kUnblocked (acquire, and release for what it makes known).
// The Blocker may be gone as soon as kUnblocked is there and its waiter runs, so unblock() touches
// it only once.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "team/model/thread.h"

namespace bobbin {

struct Blocker {
  static constexpr uintptr_t kUnblocked = 1;
  static constexpr uintptr_t kThread = 2;

  Atomic<uintptr_t> word{0};
};

// The current task goes on when unblock() has been called, before or after this.
void block(Thread& thread, Blocker& blocker);

// Called by any kernel thread, once for each block().
void unblock(Blocker& blocker);

}  // namespace bobbin
