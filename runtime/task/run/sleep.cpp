// SPDX-License-Identifier: Apache-2.0
#include "task/run/sleep.h"

#include "sched/workers/pool.h"
#include "team/model/task_hooks.h"
#include "team/model/team.h"

namespace bobbin {

void sleep_no_more(Thread& thread, Sleep sleep) {
  const Member& member = *thread.member;
  const bool called = sleep == Sleep::Ended || (sleep == Sleep::Announced &&
                                                !member.team->barrier.asleep.claim(member.index));
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
  for (unsigned i = thread.member->index + 1; i < team.end_of_indices(); i++) {
    if (!asleep.has(i) || !asleep.claim(i)) continue;
    resume(*team.members[i]->thread);
    return;
  }
  wake_resting(team, thread);  // no constraint keeps a resting thread from any task
}

}  // namespace bobbin
