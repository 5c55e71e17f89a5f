// SPDX-License-Identifier: Apache-2.0
// The tool is told of explicit tasks. All functions are called only where tool::watched is true,
// unless they say otherwise.
#pragma once

#include "task/model/depend_list.h"
#include "task/model/task_spec.h"
#include "team/model/team.h"
#include "tool/events.h"

namespace bobbin {

// The current task creates a task.
void tell_task_create(Thread& thread, tool::TaskState& created, const TaskSpec& spec);

// The same for a task that is executed in place, without clauses that matter. `flags`: those of the
// clauses that it may have nevertheless.
void tell_plain_task_create(Thread& thread, tool::TaskState& created, int flags);

// The same for a task that may begin later or elsewhere. The state belongs to its extras from here
// on.
void tell_task_create(Thread& thread, Task& task, const TaskSpec& spec);

// An empty task: the taskwait construct with a depend clause.
void tell_taskwait_begin(Thread& thread, tool::TaskState& waiting, const DependList& depend);
void tell_taskwait_end(tool::TaskState& waiting);

// Of two tasks, the second waits for the first.
void tell_task_dependence(const Task& predecessor, const Task& successor);

// While a tool watches, the completion of a dependent task excludes the look at predecessors. So
// the tool is told of a predecessor only while its state is there.
void init_watched_completion();
class WatchedCompletion {
 public:
  WatchedCompletion() : held_(tool::watched) {
    if (held_) [[unlikely]]
      enter();
  }
  ~WatchedCompletion() {
    if (held_) [[unlikely]]
      leave();
  }
  WatchedCompletion(const WatchedCompletion&) = delete;
  WatchedCompletion& operator=(const WatchedCompletion&) = delete;

 private:
  static void enter();
  static void leave();

  const bool held_;
};

// The thread leaves its current task for this one, with the status Thread::tool has for it. The
// program's code is called from a frame below `frame`.
void tell_task_switch(Thread& thread, tool::TaskState& task, void* frame);
// The task's block has ended, and the thread returns to the one that it left.
void tell_task_end(Thread& thread, tool::TaskState& task, ompt_task_status_t status);

// That of a task of this group, if no event keeps it.
ompt_task_status_t end_status(const Thread& thread, Taskgroup* group);

// The thread discards a task that has not begun.
void tell_task_discarded(const Thread& thread, tool::TaskState& task);

// The event of a detachable task is fulfilled, before or after its block has ended.
void tell_fulfilled(tool::TaskState& task, ompt_task_status_t status);

// A deferred task that the tool knows; nullptr: it does not.
tool::TaskState* state_of(const Task& task);

}  // namespace bobbin
