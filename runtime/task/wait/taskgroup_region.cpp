// SPDX-License-Identifier: Apache-2.0
#include "task/model/taskgroup.h"

#include "platform/diagnostics.h"
#include "platform/memory.h"
#include "platform/watchers/happens_before.h"
#include "task/model/continuation.h"
#include "task/run/modes.h"
#include "task/wait/wait.h"
#include "team/members/tool_events.h"
#include "team/model/task_hooks.h"
#include "team/model/team.h"

namespace bobbin {
namespace {

// For threads that have no record of their own when memory runs out. They keep those that they
// take.
constexpr unsigned kReserved = 64;
Taskgroup reserve[kReserved];
Atomic<unsigned> taken{0};

Taskgroup* take_reserved() {
  const unsigned index = taken.load(relaxed) < kReserved ? taken.fetch_add(1, relaxed) : kReserved;
  return index < kReserved ? &reserve[index] : nullptr;
}

void keep_group(Thread& thread, Taskgroup& group) {
  group.previous = thread.free_group;
  thread.free_group = &group;
}

}  // namespace

Taskgroup& open_group(Thread& thread) {
  Taskgroup* group = thread.free_group;
  if (group != nullptr) {
    thread.free_group = group->previous;
  } else {
    group = make_lasting<Taskgroup>();
    if (group == nullptr) group = take_reserved();
    if (group == nullptr) fatal("out of memory at a taskgroup construct");
  }
  forget_order(group, sizeof(Taskgroup));
  group->previous = thread.task->group;
  group->owner = &thread;
  group->reductions = group->previous != nullptr ? group->previous->reductions : nullptr;
  group->internal = false;
  group->state.store(taskgroup_state(group->previous) & ~kOwnState, relaxed);
  group->tasks.store(0, relaxed);
  return *group;
}

Thread& close_group(Thread& thread, Taskgroup& group) {
  Thread* now = &thread;
  if (group.tasks.load(acquire) != 0) {
    if (may_leave_thread(thread)) {
      group.continuation = thread.continuation;
      now = &leave_until_zero(thread, group.tasks);
    } else {
      group.owner = &thread;
      wait_for_zero(thread, group.tasks);
    }
  }
  happens_after(&group);
  keep_group(*now, group);
  return *now;
}

namespace {

void tell_taskgroup(Thread& thread, ompt_scope_endpoint_t endpoint) {
  tool::TaskState& task = *thread.tool.task;
  tool::tell(tool::callbacks.sync_region, ompt_sync_region_taskgroup, endpoint, &task.region->data,
             &task.data, thread.tool.code);
}

Thread& close_group_watched(Thread& thread, Taskgroup& group) {
  if (!tool::watched) [[likely]]
    return close_group(thread, group);
  WatchedWait wait(thread, ompt_sync_region_taskgroup, thread.tool.code);
  return wait.go_on(close_group(thread, group));
}

}  // namespace

void taskgroup_begin(Thread& thread) {
  encounter(thread, "taskgroup");
  Taskgroup& group = open_group(thread);
  tell_modes(*thread.member->team, [&](Mode& mode) { mode.begin_group(thread, group); });
  thread.task->group = &group;
  if (tool::watched) [[unlikely]]
    tell_taskgroup(thread, ompt_scope_begin);
}

void taskgroup_end(Thread& thread) {
  Taskgroup* group = thread.task->group;
  Taskgroup* enclosing = group->previous;
  Thread& now = close_group_watched(thread, *group);  // it is now in the thread's own list
  tell_modes(*now.member->team, [&](Mode& mode) { mode.end_group(now, *group); });
  // The current task may have moved to the heap meanwhile (task/model/promotion.h).
  now.task->group = enclosing;
  if (taskgroup_state(enclosing) != 0) now.withdraw_permits();
}

// Only groups of constructs: a program cannot go from a group of its own to the region's end. The
// threads are between two regions, so this thread may put something into their lists.
void give_back_groups(Team& team) {
  if (team.lost_threads) return;  // nobody else has left the region
  for (unsigned num = 0; num < team.size; num++) {
    Taskgroup*& innermost = team.members[num]->implicit.group;
    while (innermost != nullptr && innermost != team.region_group && innermost->internal) {
      Taskgroup& group = *innermost;
      innermost = group.previous;
      abandon_reductions(group.reductions, innermost != nullptr ? innermost->reductions : nullptr);
      keep_group(*team.members[num]->thread, group);
    }
  }
}

}  // namespace bobbin
