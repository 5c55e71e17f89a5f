// SPDX-License-Identifier: Apache-2.0
#include "construct/cancel.h"

#include "construct/tool_events.h"
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

namespace {

bool cancelled_so(Thread& thread, Cancellable region) {
  Team& team = *thread.member->team;
  if (region == Cancellable::Loop || region == Cancellable::Sections) {
    return team.work_shares.cancelled_until.load(relaxed) == until_next_barrier(team);
  }
  if (region == Cancellable::Taskgroup && taskgroup_cancelled(thread.task->group)) return true;
  return team.cancelled.load(relaxed);
}

int flag_of(Cancellable region) {
  switch (region) {
    case Cancellable::Parallel:
      return ompt_cancel_parallel;
    case Cancellable::Loop:
      return ompt_cancel_loop;
    case Cancellable::Sections:
      return ompt_cancel_sections;
    case Cancellable::Taskgroup:
      break;
  }
  return ompt_cancel_taskgroup;
}

}  // namespace

bool is_cancelled(Thread& thread, Cancellable region) {
  if (!global_icvs().cancellation) return false;
  const bool is = cancelled_so(thread, region);
  if (tool::watched && is) [[unlikely]]
    tell_cancel(thread, flag_of(region) | ompt_cancel_detected);
  return is;
}

bool cancel(Thread& thread, Cancellable region) {
  if (!global_icvs().cancellation) return false;
  if (tool::watched) [[unlikely]]
    tell_cancel(thread, flag_of(region) | ompt_cancel_activated);
  Team& team = *thread.member->team;
  switch (region) {
    case Cancellable::Parallel:
      barrier_cancel(team);
      withdraw_permits(team);
      release_waiters(team);
      break;
    case Cancellable::Loop:
    case Cancellable::Sections:
      team.work_shares.cancelled_until.store(until_next_barrier(team), relaxed);
      team.work_shares.used.store(true, relaxed);
      break;
    case Cancellable::Taskgroup:
      if (Taskgroup* group = program_group(thread.task->group)) {
        group->state.fetch_or(kCancelled, relaxed);
        withdraw_permits(team);
      }
      break;
  }
  return true;
}

bool cancellable_barrier(Thread& thread, ompt_sync_region_t kind) {
  Team& team = *thread.member->team;
  // In LLVM's code the thread that cancels comes here, too, so the barrier may open.
  const bool cancelled = barrier_wait(thread, kind) || team.cancelled.load(relaxed);
  if (tool::watched && cancelled) [[unlikely]]
    tell_cancel(thread, ompt_cancel_parallel | ompt_cancel_detected);
  return cancelled;
}

}  // namespace bobbin
