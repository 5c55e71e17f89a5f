// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sched/data_queue.h"
#include "task/model/depend_list.h"
#include "task/model/taskgroup.h"
#include "team/team.h"

// What other policies than the default do where tasks are created and taken; none of it is on the
// default's path. A region's policy is an ICV of its implicit tasks; that of a taskgroup is in its
// state and speaks of creation and cutoff only, for a task belongs to a group and a queue to a
// thread.
namespace bobbin {

struct Found;

inline bool creation_is_steered(const Thread& thread) {
  return thread.member->team->steers_creation ||
         (taskgroup_state(thread.task->group) & ~kCancelled) != 0;
}

// Are untied tasks that the current one makes executed as continuations?
bool makes_continuations(const Thread& thread);
// And so much is in the thread's queue that the rest of a task may go there, too.
bool more_continuations_wanted(Thread& thread);

// Is a task that the current one makes to be deferred?
bool policy_defers(Thread& thread, bool tied);

// Is there a policy that says so?
inline bool deferred_by_policy(Thread& thread, bool tied) {
  return creation_is_steered(thread) && policy_defers(thread, tied);
}

// Are all, wherever they are queued and however many there are?
bool policy_defers_all(const Thread& thread);
inline bool all_deferred_by_policy(const Thread& thread) {
  return creation_is_steered(thread) && policy_defers_all(thread);
}

// The data by which a task with these dependences is queued.
DataNames data_of(const DependList& depend);

// find_task() (task/run/find.h) for teams with steers_taking.
Found find_by_policy(Thread& thread);

// Of the innermost taskgroup region that the current task is in, for what is created from now on.
// False: there is none, or `text` is not understood; then nothing has changed.
bool set_taskgroup_policy(Thread& thread, std::string_view text);

}  // namespace bobbin
