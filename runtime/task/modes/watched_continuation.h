// SPDX-License-Identifier: Apache-2.0
// A tool is told of continuations that thieves may take, as if the thread went to the task of its
// base between any two of them. A task that has left goes on where the tool is told so, perhaps on
// another thread.
//
// Invariant: a task that leaves its thread is the innermost one of its continuation, because what
// it executes in place cannot leave. The tool is told of its departure before the context is made
// available to others.
//
// All functions are called only where tool::watched is true.
#pragma once

#include "task/model/continuation.h"

namespace bobbin {

// The thread is about to begin the continuation's task, or to go on with it, on top of its base.
void tell_entry(Thread& thread, const Continuation& continuation);

// The program's code begins on the continuation.
void tell_begin(const Continuation& continuation);

// The thread is about to leave its continuation.
void tell_return(Thread& thread);

// The block of the continuation's task has ended. For the tool, the thread is at its base.
void tell_end(Thread& thread, const Continuation& continuation);

}  // namespace bobbin
