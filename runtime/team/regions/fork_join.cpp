// SPDX-License-Identifier: Apache-2.0
#include "team/regions/fork_join.h"

#include "platform/locks/handlers_wait.h"
#include "platform/watchers/happens_before.h"
#include "sched/workers/pool.h"
#include "sched/workers/provider.h"
#include "team/members/member.h"
#include "team/members/wait.h"
#include "team/model/root.h"
#include "team/model/task_hooks.h"
#include "team/regions/free_agents.h"
#include "team/regions/team_store.h"
#include "tool/events.h"

namespace bobbin {
namespace {

// All threads that had a part in the region are done with it, and only the caller's own part is
// left.
bool may_end(const Team& team) {
  return team.participants.only_primary() &&
         (!team.has_tasks.load(relaxed) || tasks_quiescent(team));
}

// True: the region is over.
bool try_to_end(Team& team) { return may_end(team) && team.participants.end(); }

}  // namespace

void reset_task_counts(Team& team) {
  team.has_tasks.store(false, relaxed);
  team.had_tasks.store(false, relaxed);
  team.ended_elsewhere.store(0, relaxed);
  for (unsigned num = 0; num < team.counted && num < team.made; num++) {
    team.members[num]->tasks_made.store(0, relaxed);
    team.members[num]->tasks_ended.store(0, relaxed);
  }
  each_agent_seat(team, [](Member& seat) {
    seat.tasks_made.store(0, relaxed);
    seat.tasks_ended.store(0, relaxed);
  });
}

Team* assemble(Thread& thread, unsigned size, const Icvs& icvs) {
  Team* team = take_team(thread, size);
  if (team == nullptr) return nullptr;
  Member* outer = thread.member;
  team->root = thread.root;
  team->group_threads = outer->team->group_threads;
  team->group.store(thread.group.load(relaxed), relaxed);
  team->level = outer->team->level + 1;
  team->active_level = outer->team->active_level + (team->size > 1 ? 1 : 0);
  team->team_num = outer->team->team_num;
  team->num_teams = outer->team->num_teams;
  team->encountering = outer;
  team->encountering_task = thread.task;
  team->region_group = nullptr;
  team->outer_placement = thread.placement;
  team->icvs = inherit_icvs(icvs, team->level);
  team->tasks_may_block = context_switch_supported() && tasks_may_block.load(relaxed);
  if (team->icvs.task_policy.steered || in_mode(*team)) [[unlikely]]
    begin_modes(*team);
  team->region++;
  if (team->cancelled.load(relaxed)) {
    team->cancelled.store(false, relaxed);
    team->barrier.arrived.store(0, relaxed);
    team->barrier.tree.reset(team->capacity);
  }
  team->watch(tool::watched);
  // The region may have another size than the last one, so its sums of tasks made and ended must be
  // equal without the old counts.
  if (team->has_tasks.load(relaxed) || team->had_tasks.load(relaxed)) reset_task_counts(*team);
  team->counted = team->size;
  if (team->work_shares.used.load(relaxed)) team->work_shares.reset();
  return team;
}

void fork(Thread& thread, Team& team, void (*function)(void*), void* data) {
  Member& member = *team.members[0];
  member.thread = &thread;
  thread.member = &member;
  begin_member(member, team);
  // The level cannot tell this: it begins anew in the initial region of a target or a league.
  team.opens_root = !team.serial() && thread.home != nullptr && !thread.home->active.load(relaxed);
  if (team.serial()) {
    team.participants.open(team.region, 1);
    return;
  }
  team.function = function;
  team.data = data;
  team.float_control.save();
  team.open_size.store(team.size, relaxed);
  happens_before(&team);
  team.participants.open(team.region, team.size);
  Worker& worker = *thread.worker;
  worker.active.store(true, relaxed);
  worker.pass_scheduling_point();
  provider.launch(team, worker);
}

namespace {

class JoinWait : public SleepAtBarrier {
 public:
  using SleepAtBarrier::SleepAtBarrier;

  bool over() { return try_to_end(team_); }
  bool work() {
    bool worked = false;
    while (team_.has_tasks.load(relaxed) && run_tasks_at_barrier(thread_)) worked = true;
    return worked;
  }
  bool worth_a_look() const {
    return may_end(team_) || (team_.has_tasks.load(relaxed) && tasks_in_sight());
  }
  void announce() {
    team_.participants.announce_wait();
    SleepAtBarrier::announce();
  }
  void withdraw() {
    team_.participants.stop_waiting();
    SleepAtBarrier::withdraw();
  }
};

}  // namespace

void join(Thread& thread, Team& team) {
  wait_in_team(thread, JoinWait(thread));
  const HandlersWait wait;  // until the team is kept
  happens_after(&team.participants);
  happens_after(ends_of_tasks(team, 0));
  happens_after(ends_of_tasks(team, 1));
  withdraw(team, *thread.worker);
  if (team.unusual.load(relaxed)) [[unlikely]] {
    if (team.cancelled.load(relaxed)) give_back_groups(team);
    end_service(team);
  }
  thread.member = team.encountering;
  thread.task = team.encountering_task;
  thread.withdraw_permits();
  thread.placement = team.outer_placement;
  keep_team(thread, team);
  if (team.opens_root) {
    thread.home->active.store(false, relaxed);
  }
}

}  // namespace bobbin
