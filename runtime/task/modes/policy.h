// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sched/data_queue.h"
#include "task/model/depend_list.h"
#include "task/model/taskgroup.h"
#include "team/team.h"

// What policies other than the default do where tasks are created and taken. None of it is on the
// default's path. A region's policy is an ICV of its implicit tasks. That of a taskgroup is in its
// state and covers creation and cutoff only, because a task belongs to a group and a queue to a
// thread.
namespace bobbin {

struct Found;

inline bool creation_is_steered(const Thread& thread) {
  return thread.member->team->steers_creation ||
         (taskgroup_state(thread.task->group) & ~kCancelled) != 0;
}

// Do untied tasks that the current task makes run as continuations?
bool makes_continuations(const Thread& thread);
// And is there room in the thread's queue for the rest of one more task?
bool more_continuations_wanted(Thread& thread);

// Is a task that the current task makes to be deferred?
bool policy_defers(Thread& thread, bool tied);

// Does a policy say that the task is deferred?
inline bool deferred_by_policy(Thread& thread, bool tied) {
  return creation_is_steered(thread) && policy_defers(thread, tied);
}

// Are all tasks deferred, wherever they are queued and however many there are?
bool policy_defers_all(const Thread& thread);
inline bool all_deferred_by_policy(const Thread& thread) {
  return creation_is_steered(thread) && policy_defers_all(thread);
}

// The data by which a task with these dependences is queued.
DataNames data_of(const DependList& depend);

// find_task() (task/run/find.h) for teams with steers_taking.
Found find_by_policy(Thread& thread);

// Sets the policy of the innermost taskgroup region that the current task is in, for tasks created
// from now on. False: there is no such region, or `text` is not understood; then nothing has
// changed.
bool set_taskgroup_policy(Thread& thread, std::string_view text);

}  // namespace bobbin
