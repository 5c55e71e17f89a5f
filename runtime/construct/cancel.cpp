// SPDX-License-Identifier: Apache-2.0
#include "construct/cancel.h"

#include "construct/wait_address.h"
#include "env/icv.h"
#include "task/model/taskgroup.h"

namespace bobbin {
namespace {

// Expires as the team's next barrier opens.
uint64_t until_next_barrier(const Team& team) {
  return uint64_t{team.barrier.generation.load(relaxed)} + 1;
}

// Threads that wait for their turn in a loop may wait for one that goes to the region's end.
void release_waiters(Team& team) {
  WorkShares& shares = team.work_shares;
  wake_range(&shares.ring, &shares.ring + 1);
  SpinGuard guard(shares.extra_lock);
  for (const ExtraWorkShares& extras : shares.extras) {
    extras.each([](WorkShare& share) { wake_range(&share, &share + 1); });
  }
}

}  // namespace

bool is_cancelled(Thread& thread, Cancellable region) {
  if (!global_icvs().cancellation) return false;
  Team& team = *thread.member->team;
  if (region == Cancellable::WorkShare) {
    return team.work_shares.cancelled_until.load(relaxed) == until_next_barrier(team);
  }
  if (region == Cancellable::Taskgroup && taskgroup_cancelled(thread.task->group)) return true;
  return team.cancelled.load(relaxed);
}

bool cancel(Thread& thread, Cancellable region) {
  if (!global_icvs().cancellation) return false;
  Team& team = *thread.member->team;
  switch (region) {
    case Cancellable::Parallel:
      barrier_cancel(team);
      release_waiters(team);
      break;
    case Cancellable::WorkShare:
      team.work_shares.cancelled_until.store(until_next_barrier(team), relaxed);
      team.work_shares.used.store(true, relaxed);
      break;
    case Cancellable::Taskgroup:
      if (Taskgroup* group = program_group(thread.task->group))
        group->state.fetch_or(kCancelled, relaxed);
      break;
  }
  return true;
}

bool cancellable_barrier(Thread& thread) {
  Team& team = *thread.member->team;
  // In LLVM's code the thread that cancels comes here, too, so the barrier may open.
  return barrier_wait(thread) || team.cancelled.load(relaxed);
}

}  // namespace bobbin
