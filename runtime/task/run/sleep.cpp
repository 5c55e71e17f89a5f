// SPDX-License-Identifier: Apache-2.0
#include "task/run/sleep.h"

#include "sched/pool.h"
#include "team/task_hooks.h"
#include "team/team.h"

namespace bobbin {

void sleep_no_more(Thread& thread, Sleep sleep) {
  const Member& member = *thread.member;
  const bool called = sleep == Sleep::Ended ||
                      (sleep == Sleep::Announced && !member.team->barrier.asleep.claim(member.num));
  if (called) pass_wake_on(thread);
}

// Wakes the next sleeper of a higher number, so that a wake-up goes round once. Otherwise threads
// that may not begin what is queued would wake each other for ever. A wake-up begins at the lowest
// number. A thread that sets its bit behind the wake-up looks for tasks after that, so the round
// leaves out no thread.
void pass_wake_on(Thread& thread) {
  Team& team = *thread.member->team;
  fence(seq_cst);
  if (!tasks_queued(team)) return;
  BitsetView& asleep = team.barrier.asleep;
  for (unsigned num = thread.member->num + 1; num < team.size; num++) {
    if (!asleep.has(num) || !asleep.claim(num)) continue;
    resume(*team.members[num]->thread);
    return;
  }
  wake_resting(team, thread);  // no constraint keeps a resting thread from any task
}

}  // namespace bobbin
