// SPDX-License-Identifier: Apache-2.0
// What the two permits of a thread (fiber/permit.h) stand for, and who withdraws them.
//
//   undeferred   A task that must not be deferred may run in place, as far as the thread knows; the
//                task that makes it must not be one whose order goes beyond its children.
//   in_place     So may a task without clauses that matter which could be deferred.
//
// What they depend on, and who withdraws them:
//   - The stack that the thread runs on: Fiber::use_stack().
//   - Its team and the group of its current task: whoever makes a task current that is not a part
//     of the one before, as regions and tasks from queues do.
//   - Whether the region or the group is cancelled, and whether the group has a policy or a
//     scheduler: whoever changes that, for each thread of the team.
//   - The defer limit: the functions of task/tuning/defer_limit.h.
//   - in_place, the tasks in the thread's deque: the thief, and the owner that takes one back.
//   - in_place within a final task, that task: its end.
#pragma once

#include "sched/workers/pool.h"
#include "team/model/team.h"

namespace bobbin {

// Does the permit hold? Otherwise the thread looks whether a task may run in place, and if so gets
// the permit for the next ones, and the other one if that may be had.
bool ask_in_place(Thread& thread);
bool ask_undeferred(Thread& thread);

inline bool permitted_in_place(const Thread& thread) {
  return thread.in_place.holds_at(stack_pointer());
}

// For a task without clauses that matter: in place.
inline bool surely_in_place(Thread& thread) {
  return permitted_in_place(thread) || ask_in_place(thread);
}

// For a task that must not be deferred, so thieves have no say: in place.
inline bool surely_undeferred(Thread& thread) {
  return !thread.task->order_goes_beyond &&
         (thread.undeferred.holds_at(stack_pointer()) || ask_undeferred(thread));
}

}  // namespace bobbin
