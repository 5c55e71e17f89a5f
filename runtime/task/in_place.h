// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sched/pool.h"
#include "task/promote.h"
#include "task/taskgroup.h"
#include "team/team.h"

// The fast path of a task construct: the task that nobody is hungry for is never made. It runs at
// once in the encountering thread, from the data as they stand there, with a descriptor on the
// stack; no allocation, no shared write, no atomic read-modify-write.
namespace bobbin {

// A thread keeps so many tasks for thieves; while it has them, further ones run at once in place. A
// small number: each deferred task costs an allocation and a steal, and a thief that finds none is
// quick to come back.
inline constexpr int64_t kEnoughDeferred = 4;

// Nobody to defer for: a team of one that has nothing deferred before.
inline bool nobody_else(const Team& team) { return team.serial() && !team.has_tasks.load(relaxed); }

// Do the thieves have enough to take?
inline bool enough_deferred(Member& member) {
  return !member.tasks.holds_fewer_than(kEnoughDeferred);
}

// Descends by one level of the task tree, in place: what every undeferred task's descriptor has.
inline void begin_undeferred(Task& task, Thread& thread, bool final_task, bool tied) {
  Task* parent = thread.task;
  task.parent = parent;
  task.group = parent->group;
  task.icvs = parent->icvs;
  task.depth = parent->depth + 1;
  task.kind = TaskKind::Undeferred;
  task.final_task = final_task || parent->final_task;
  task.tied = tied;
  thread.task = &task;
}

// For a task without dependences, priority, event or copy function.
inline bool may_take_fast_path(const Thread& thread) {
  Member& member = *thread.member;
  const Team& team = *member.team;
  return (nobody_else(team) || enough_deferred(member)) && !stack_nearly_used_up(thread) &&
         !team.cancelled.load(relaxed) && !taskgroup_cancelled(thread.task->group);
}

inline void run_in_place(Thread& thread, void (*function)(void*), void* data, bool final_task,
                         bool tied) {
  Task task;
  begin_undeferred(task, thread, final_task, tied);
  function(data);
  if (task.kind == TaskKind::Undeferred && task.extras == nullptr) [[likely]] {
    thread.task = task.parent;
  } else {
    thread.task = end_undeferred(task);
  }
}

}  // namespace bobbin
