// SPDX-License-Identifier: Apache-2.0
#include "team/members/barrier.h"

#include "platform/watchers/happens_before.h"
#include "sched/workers/pool.h"
#include "team/members/wait.h"
#include "team/model/task_hooks.h"
#include "team/model/team.h"

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

// Called by the only thread that knows that all have arrived and no task is left.
void open_barrier(Team& team, uint32_t generation) {
  Barrier& barrier = team.barrier;
  note_tasks_ended(team);
  barrier.generation.store(generation + 1, release);
  wake_sleepers(team);
}

// The address by which a race detector knows this opening of the barrier. It differs from that of
// the opening before and after.
const void* opening(const Barrier& barrier, uint32_t generation) {
  return generation % 2 == 0 ? static_cast<const void*>(&barrier.generation) : &barrier.arrived;
}

void pass_opened(const Team& team, uint32_t generation) {
  if (!looks_for_races()) [[likely]]
    return;
  happens_after(opening(team.barrier, generation));
  happens_after(ends_of_tasks(team, generation));
}

class BarrierWait : public SleepAtBarrier {
 public:
  BarrierWait(Thread& thread, uint32_t generation)
      : SleepAtBarrier(thread), generation_(generation) {}

  bool opened() const { return team_.barrier.generation.load(acquire) != generation_; }

  bool over() const { return opened() || cancelled(); }
  bool work() { return team_.has_tasks.load(relaxed) && (run_tasks_at_barrier(thread_) || open()); }
  bool worth_a_look() const {
    if (over()) return true;
    return team_.has_tasks.load(relaxed) && (tasks_in_sight() || complete());
  }

 private:
  bool cancelled() const { return team_.cancelled.load(acquire); }
  // All threads are here and nothing is left to do.
  bool complete() const {
    return team_.barrier.arrived.load(acquire) == team_.size && tasks_quiescent(team_);
  }
  // The first thread that sees it opens the barrier, by taking the count of arrivals.
  bool open() {
    if (!complete()) return false;
    uint32_t all = team_.size;
    if (team_.barrier.arrived.compare_exchange_strong(all, 0, acq_rel, relaxed)) {
      open_barrier(team_, generation_);
    }
    return true;
  }

  const uint32_t generation_;
};

// The barrier of a team of one.
class WaitAlone : public SleepAtBarrier {
 public:
  using SleepAtBarrier::SleepAtBarrier;

  bool over() const { return !team_.has_tasks.load(relaxed) || tasks_quiescent(team_); }
  bool work() { return run_tasks_at_barrier(thread_); }
  bool worth_a_look() const { return tasks_in_sight() || tasks_quiescent(team_); }
};

// The barrier of a team of one has no generations. So a cancellation that expires when a barrier
// opens ends here: that of a loop or sections, which compilers may end by a barrier of any kind.
[[gnu::noinline]] void pass_alone(Thread& thread, Team& team) {
  wait_in_team(thread, WaitAlone(thread));
  happens_after(ends_of_tasks(team, team.barrier.generation.load(relaxed)));
  note_tasks_ended(team);
  team.work_shares.cancelled_until.store(0, relaxed);
}

}  // namespace

bool barrier_wait(Thread& thread) {
  Team& team = *thread.member->team;
  Barrier& barrier = team.barrier;
  if (team.serial()) {
    pass_alone(thread, team);
    return false;
  }

  uint32_t generation = barrier.generation.load(relaxed);
  happens_before(opening(barrier, generation));
  const uint32_t brings = barrier.tree.climb(thread.member->num, team.size);
  if (brings != 0 && barrier.arrived.fetch_add(brings, acq_rel) + brings == team.size &&
      !team.has_tasks.load(relaxed)) {
    // This is a compare-and-swap, because a waiter may already have seen the tasks end, taken the
    // count, opened the barrier and arrived at the next one.
    uint32_t all = team.size;
    if (barrier.arrived.compare_exchange_strong(all, 0, acq_rel, relaxed)) {
      open_barrier(team, generation);
      pass_opened(team, generation);
      return false;
    }
  }

  BarrierWait wait(thread, generation);
  wait_in_team(thread, wait);
  if (!wait.opened()) return true;  // cancelled
  pass_opened(team, generation);
  return false;
}

void barrier_cancel(Team& team) {
  team.set_cancelled(true);
  wake_sleepers(team);
}

}  // namespace bobbin
