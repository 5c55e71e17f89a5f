// SPDX-License-Identifier: Apache-2.0
// Resumable tasks, of programs that `bobbin translate --continuations` has translated. Each of
// their functions exists twice. One is an ordinary function. The other one, the resumable function,
// keeps its variables in a frame on the heap, and can be called anew to go on at each point where a
// task is made or waited for. So any thread can execute the rest of the task. Stacks are neither
// exchanged nor kept. (Frigo, Leiserson and Randall, PLDI 1998: the two clones of a procedure.)
//
// A frame is left when its function returns 0. The callers on the stack return 0, too, and none of
// them looks at its frame again. The thread is then back in run_resumable().
//
// A resumable task is deferred, so its descriptor is on the heap. It makes way for a child: it puts
// itself into the thread's queue, as the youngest item, and the thread executes the child. If the
// task is still there afterwards, the thread goes on with it, on the same stack. Otherwise another
// thread has it, or it lies below other tasks; then its frames are left.
//
// Invariant: the rest of a resumable task is at any time in exactly one of these states.
//   running   one thread executes it in run_resumable()
//   queued    it is in a queue, once. The thread that takes it out runs it. `departure` tells its
//             former thread, which has taken it out, whether it has been elsewhere since
//   waiting   kContinuationWaiter is set in Task::children. The thread that makes the rest of that
//             word zero, and no other, queues it
// Its innermost frame is written before the task is queued, or before kContinuationWaiter is set.
// From then on its former thread leaves the task alone, until it has taken it out of a queue.
//
// A thread takes the rest of a task only at a barrier, or within an ancestor of the task. Otherwise
// it could lie above a task that it waits for in an ordinary function. So a resumable task counts
// as tied (task/model/constraint.h), although other threads may take it.
//
// A thread never changes within a call of a resumable function, so addresses of thread-local
// variables that a compiler keeps stay right.
#pragma once

#include "bobbin/native.h"
#include "team/model/team.h"

namespace bobbin {

using Frame = bobbin_omp_frame;

// At the beginning of the task's data. The outermost frame follows.
struct alignas(Frame) Resumption {
  Frame* innermost;
  Team* team;
  const void* departure;  // an address on the stack on which it made way; null: it waits, or begins

  static Resumption& of(const Task& task) { return *static_cast<Resumption*>(task.data); }
  Frame& outermost() { return *reinterpret_cast<Frame*>(this + 1); }
};

// Gives back the frame's arrays, whose function has ended.
void free_arrays(Thread& thread, Frame& frame);

// Executes the rest of the task. False: it has been left.
bool run_resumable(Thread& thread, Task& task);

// Its children have ended. Called by any thread.
void queue_resumable(Task& task);

}  // namespace bobbin
