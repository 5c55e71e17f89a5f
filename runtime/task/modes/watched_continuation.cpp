// SPDX-License-Identifier: Apache-2.0
#include "task/modes/watched_continuation.h"

#include "task/model/tool_events.h"
#include "task/modes/continuation_base.h"
#include "team/members/tool_events.h"

namespace bobbin {
namespace {

// The continuation's task; nullptr: no tool is told of it here.
tool::TaskState* told(const Continuation& continuation) {
  return !continuation.keeps_thread ? state_of(*continuation.task) : nullptr;
}

void go_to(Thread& thread, tool::TaskState& next, ompt_task_status_t status) {
  tool::TaskState& left = *thread.tool.task;
  thread.tool.task = &next;
  tool::tell(tool::callbacks.task_schedule, &left.data, status, &next.data);
}

}  // namespace

void tell_entry(Thread& thread, const Continuation& continuation) {
  tool::TaskState* task = told(continuation);
  if (task == nullptr) return;
  task->interrupted = thread.continuation_base->told;
  task->thread_num = thread.member->num;
  go_to(thread, *task, thread.tool.leaving);
  thread.tool.leaving = ompt_task_switch;
  thread.tool.state = working_in(*thread.member->team);
}

void tell_begin(const Continuation& continuation) {
  if (told(continuation) == nullptr) return;
  set_exit_frame(*continuation.thread, __builtin_frame_address(0));
}

void tell_return(Thread& thread) {
  if (told(*thread.continuation) != nullptr)
    go_to(thread, *thread.continuation_base->told, ompt_task_switch);
}

void tell_end(Thread& thread, const Continuation& continuation) {
  tool::TaskState* task = told(continuation);
  if (task == nullptr) return;
  task->frame.exit_frame = {};
  go_to(thread, *thread.continuation_base->told, end_status(thread, continuation.task->group));
}

}  // namespace bobbin
