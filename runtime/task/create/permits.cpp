// SPDX-License-Identifier: Apache-2.0
#include "task/create/permits.h"

#include "task/model/promotion.h"
#include "task/model/taskgroup.h"
#include "task/tuning/defer_limit.h"
#include "tool/own_events.h"

namespace bobbin {
namespace {

bool nothing_forbids(const Thread& thread) {
  const Member& member = *thread.member;
  const Team& team = *member.team;
  return !tool::watched && !member.free_agent && !team.looks_at_each_task() &&
         !team.cancelled.load(relaxed) && taskgroup_state(thread.task->group) == 0;
}

bool thieves_have_enough(const Thread& thread) {
  const Member& member = *thread.member;
  return is_enough(member, member.tasks.size_at_most());
}

void give_undeferred(Thread& thread) {
  thread.undeferred.give(thread.stack_limit, [&] { return nothing_forbids(thread); });
}

void give_both(Thread& thread) {
  thread.undeferred.post(thread.stack_limit);
  thread.in_place.give(thread.stack_limit, [&] {
    if (nothing_forbids(thread)) return thieves_have_enough(thread);
    thread.undeferred.withdraw();
    return false;
  });
}

// No task within a final one is deferred. So that the end of the outermost one comes to
// end_undeferred(), where the permit ends, it moves to the heap.
void give_within_final(Thread& thread) {
  if (!promote_current(thread)) return;
  thread.in_place.give(thread.stack_limit, [&] { return nothing_forbids(thread); });
}

}  // namespace

[[gnu::noinline]] bool ask_in_place(Thread& thread) {
  if (stack_nearly_used_up(thread) || !nothing_forbids(thread)) return false;
  if (thieves_have_enough(thread)) {
    give_both(thread);
  } else if (thread.task->final_task) {
    give_within_final(thread);
  } else {
    return false;
  }
  return true;
}

[[gnu::noinline]] bool ask_undeferred(Thread& thread) {
  if (stack_nearly_used_up(thread) || !nothing_forbids(thread)) return false;
  if (thieves_have_enough(thread)) {
    give_both(thread);
  } else {
    give_undeferred(thread);
  }
  return true;
}

}  // namespace bobbin
