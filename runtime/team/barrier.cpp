// SPDX-License-Identifier: Apache-2.0
#include "team/barrier.h"

#include "platform/happens_before.h"
#include "sched/pool.h"
#include "team/desertion.h"
#include "team/task_hooks.h"
#include "team/team.h"

namespace bobbin {
namespace {

void wake_sleepers(Team& team) {
  fence(seq_cst);
  Resumptions resumptions;
  team.barrier.asleep.claim_all([&](unsigned num) { resumptions.add(*team.members[num]->thread); });
}

void note_tasks_ended(Team& team) {
  if (!team.has_tasks.load(relaxed)) return;
  team.has_tasks.store(false, relaxed);
  team.had_tasks.store(true, relaxed);
}

// Called by the only one who knows that all have arrived and no task is left.
void open_barrier(Team& team, uint32_t generation) {
  Barrier& barrier = team.barrier;
  note_tasks_ended(team);
  barrier.generation.store(generation + 1, release);
  wake_sleepers(team);
}

// What a race detector knows the barrier's opening by: not that of the one before or after.
const void* opening(const Barrier& barrier, uint32_t generation) {
  return generation % 2 == 0 ? static_cast<const void*>(&barrier.generation) : &barrier.arrived;
}

void pass_opened(const Team& team, uint32_t generation) {
  happens_after(opening(team.barrier, generation));
  happens_after(&team.tasks_offered);
}

// The barrier of a team of one. It has no generations, so what expires as it opens ends here: the
// cancellation of a loop or sections, which compilers may end by a barrier of any kind.
void pass_alone(Thread& thread, Team& team) {
  while (team.has_tasks.load(relaxed) && !tasks_quiescent(team)) {
    if (!run_tasks_at_barrier(thread)) {
      await(
          thread, [&] { return tasks_queued(team) || tasks_quiescent(team); },
          [&] { team.barrier.asleep.set(0); });
      team.barrier.asleep.claim(0);
    }
  }
  happens_after(&team.tasks_offered);
  note_tasks_ended(team);
  team.work_shares.cancelled_until.store(0, relaxed);
}

}  // namespace

bool barrier_wait(Thread& thread) {
  Member& member = *thread.member;
  Team& team = *member.team;
  Barrier& barrier = team.barrier;
  if (team.serial()) {
    pass_alone(thread, team);
    return false;
  }

  uint32_t generation = barrier.generation.load(relaxed);
  happens_before(opening(barrier, generation));
  uint32_t arrived = barrier.arrived.fetch_add(1, acq_rel) + 1;
  if (arrived == team.size && !team.has_tasks.load(relaxed)) {
    // By compare-and-swap: a waiter may have seen the tasks end, taken the count, opened the
    // barrier and arrived at the next one already.
    uint32_t all = team.size;
    if (barrier.arrived.compare_exchange_strong(all, 0, acq_rel, relaxed)) {
      open_barrier(team, generation);
      pass_opened(team, generation);
      return false;
    }
  }

  auto opened = [&] { return barrier.generation.load(acquire) != generation; };
  // Everybody is here and nothing is left to do: whoever sees it first opens the barrier, by taking
  // the count of arrivals.
  auto complete = [&] {
    return barrier.arrived.load(acquire) == team.size && tasks_quiescent(team);
  };
  auto cancelled = [&] { return team.cancelled.load(acquire); };
  auto worth_a_look = [&] {
    if (opened() || cancelled()) return true;
    return team.has_tasks.load(relaxed) && (tasks_queued(team) || complete());
  };
  while (!opened()) {
    if (cancelled()) return true;
    if (team.has_tasks.load(relaxed)) {
      if (run_tasks_at_barrier(thread)) continue;
      if (complete()) {
        uint32_t all = team.size;
        if (barrier.arrived.compare_exchange_strong(all, 0, acq_rel, relaxed)) {
          open_barrier(team, generation);
        }
        continue;
      }
    }
    expect_others(team);
    await(thread, worth_a_look, [&] { barrier.asleep.set(member.num); });
    barrier.asleep.claim(member.num);
  }
  pass_opened(team, generation);
  return false;
}

void barrier_cancel(Team& team) {
  team.cancelled.store(true, seq_cst);
  wake_sleepers(team);
}

}  // namespace bobbin
