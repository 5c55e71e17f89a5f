// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/ancestry.h"
#include "team/model/team.h"

namespace bobbin {

// The task scheduling constraint (section 12.9): a thread that has suspended tied tasks other than
// at a barrier may begin a new tied task only if it descends from all of them. Here this also holds
// for untied tasks. An untied task that did not descend from them could make no tied child on this
// thread, neither at once nor later, and its tasks would hide in the deque those that the suspended
// tasks wait for. So each task that is begun descends from the tied ones below it on the stack, and
// a check against the innermost of them is enough.
//
// Invariant: a task that is put into a thread's deque while another task is suspended on that
// thread descends from the suspended one. (Others go to the team's shared queue.) So the thread may
// take everything from its deque.
//
// A thief asks before it has claimed the candidate (Deque::steal_if). The candidate may be gone
// then, and its memory and that of its ancestors used again. So the answer may be wrong, and counts
// only once the candidate has been claimed. But the question always comes to an end, because the
// depth falls with every step. If the candidate is still there, the answer is right:
// task/model/ancestry.h.
//
// Invariant: the beginning of a block of the task pool holds the descriptor of a deferred task, or
// what is left of one. Its parent is on the heap or an implicit task, as is the parent of that one.
// So a thief is never led onto a stack, where it would follow whatever the program has stored.
// Descriptors of undeferred tasks, whose parents may be on stacks, lie elsewhere: on a stack, or in
// the room for the extras of a prepared task (task/create/prepared.h).
inline bool descends_from(const Task& candidate, const Task& current, const Team& team) {
  return descends(candidate, current, team.ancestries_shortened);
}

// The innermost tied task that the thread is in; nullptr: there is none, or the thread is at a
// barrier.
inline const Task* constraining_task(const Thread& thread) {
  const Task* task = thread.task;
  while (!task->tied) {
    if (task == thread.untied_base || task->own_stack) return thread.tied_below;
    task = task->parent;
  }
  return task == thread.at_barrier ? nullptr : task;
}

inline bool may_begin(const Thread& thread, const Task& candidate) {
  const Task& current = *thread.task;
  if (&current == thread.at_barrier) return true;
  const Team& team = *thread.member->team;
  if (descends_from(candidate, current, team)) return true;
  if (current.tied) return false;
  const Task* tied = constraining_task(thread);
  return tied == nullptr || descends_from(candidate, *tied, team);
}

// Exists while a task from a queue is executed. If the task is untied, notes what is below it.
class UntiedBase {
 public:
  UntiedBase(Thread& thread, const Task& task) : thread_(thread), untied_(!task.tied) {
    if (!untied_) [[likely]]
      return;
    base_ = thread.untied_base;
    tied_below_ = thread.tied_below;
    thread.tied_below = constraining_task(thread);
    thread.untied_base = &task;
  }
  UntiedBase(const UntiedBase&) = delete;
  UntiedBase& operator=(const UntiedBase&) = delete;
  ~UntiedBase() {
    if (!untied_) [[likely]]
      return;
    thread_.untied_base = base_;
    thread_.tied_below = tied_below_;
  }

 private:
  Thread& thread_;
  bool untied_;
  const Task* base_ = nullptr;
  const Task* tied_below_ = nullptr;
};

}  // namespace bobbin
