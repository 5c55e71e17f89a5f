// SPDX-License-Identifier: Apache-2.0
#include "task/wait/wait.h"

#include "platform/watchers/happens_before.h"
#include "task/model/childless.h"
#include "task/model/continuation.h"
#include "task/run/modes.h"
#include "task/wait/wait_loop.h"
#include "team/members/tool_events.h"

namespace bobbin {

void wait_for_zero(Thread& thread, Atomic<uint32_t>& waiting) {
  run_tasks_until(
      thread, [&] { return (waiting.load(acquire) & ~kWaiter) == 0; },
      [&] { waiting.fetch_or(kWaiter, acq_rel); },
      [&] {
        if ((waiting.load(relaxed) & kWaiter) != 0) waiting.fetch_and(~kWaiter, acq_rel);
      });
}

namespace {

Thread& wait_for_children(Thread& thread) {
  Task& task = *thread.task;
  if (childless(task)) return thread;
  encounter(thread, "taskwait");
  if (may_leave_thread(thread)) return leave_until_zero(thread, task.children);
  wait_for_zero(thread, task.children);
  happens_after(thread.task);
  return thread;
}

}  // namespace

Thread& taskwait(Thread& thread) {
  if (!tool::watched) [[likely]]
    return wait_for_children(thread);
  WatchedWait watched(thread, ompt_sync_region_taskwait, thread.tool.code);
  return watched.go_on(wait_for_children(thread));
}

void taskyield(Thread& thread) {
  if (tool::watched) thread.tool.leaving = ompt_task_yield;
  const bool ran = thread.member->team->has_tasks.load(relaxed) && run_a_task(thread);
  if (tool::watched) thread.tool.leaving = ompt_task_switch;
  if (!ran) yield(thread);
}

}  // namespace bobbin
