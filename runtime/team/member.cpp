// SPDX-License-Identifier: Apache-2.0
#include "team/member.h"

#include "fiber/tls_block.h"
#include "sched/pool.h"
#include "team/desertion.h"
#include "team/placement.h"
#include "team/task_hooks.h"

namespace bobbin {
namespace {

void help_with_tasks(Thread& thread, Team& team) {
  while (team.has_tasks.load(relaxed) && run_tasks_at_barrier(thread)) {
  }
}

// Gives the member away: another worker may adopt it at once, and write to its thread. Who calls
// this owns neither any more: what he still needs to know he has read before, and no TLS variable
// is his until the next carry() or put_down().
void rest(Member& member, Team& team) {
  expect_others(team);  // one to go on after the region, for instance
  member.float_control = FloatControl::current();
  member.rested.store(team.region, release);
}

bool take_resting(Member& member, uint64_t region) {
  uint64_t expected = region;
  return member.rested.load(relaxed) == region &&
         member.rested.compare_exchange_strong(expected, 0, acq_rel, relaxed);
}

Member* take_any_resting(Team& team) {
  for (unsigned num = 1; num < team.size; num++) {
    if (take_resting(*team.members[num], team.region)) return team.members[num];
  }
  return nullptr;
}

// The member's thread is now carried by this worker, on this stack. The thread pointer changes
// under the caller, who therefore must not touch TLS variables himself.
[[gnu::noinline]] void carry(Thread& thread, Worker& worker, Stack& stack) {
  thread.worker = &worker;
  thread.stack_limit = stack.reserve();
  stack.thread_num = static_cast<int>(thread.member->num);
  set_thread_pointer(thread.tls);
  if (!thread.tls_started) [[unlikely]] {
    thread.tls_started = true;
    start_tls_block();
  }
}

[[gnu::noinline]] void put_down(Worker& here, Stack& stack) {
  stack.thread_num = -1;
  set_thread_pointer(here.native_tls);
}

// Its region has a task policy other than the default, or its last one had.
[[gnu::noinline]] void steer_member(Member& member, const Team& team) {
  const TaskPolicy& policy = team.icvs.task_policy;
  member.steered = policy.steered;
  member.throttled = false;
  member.tasks.use(policy.queue);
  if (team.serial()) return;
  if (policy.creation == Creation::BreadthFirst || policy.creation == Creation::Continuation) {
    member.kept = member.defer_below = kKeepAll;  // each task is looked at
  }
  if (policy.creation == Creation::WorkFirst) member.kept = member.defer_below = 1;
}

int claim(Team& team, Worker& worker) {
  if (worker.last_ticket == &team && team.unbegun.claim(worker.last_part)) {
    return static_cast<int>(worker.last_part);
  }
  int number = team.unbegun.claim_lowest();
  if (number >= 0) {
    worker.last_ticket = &team;
    worker.last_part = static_cast<unsigned>(number);
  }
  return number;
}

}  // namespace

void begin_member(Member& member, Team& team) {
  Task& task = member.implicit;
  task.runner = member.thread;
  task.parent = team.encountering_task;
  task.group = team.region_group;
  task.icvs = &team.icvs;
  if (task.extras != nullptr) release_extras(task);
  task.children.store(0, relaxed);
  task.references.store(1, relaxed);
  member.position = WorkSharePosition{};
  member.kept = member.defer_below = team.serial() ? 0 : kKeptAtFirst;
  member.earned = 0;
  member.brief_ones_left = kBriefOnesWatched;
  if (team.icvs.task_policy.steered || member.steered) [[unlikely]]
    steer_member(member, team);
  member.thread->task = &task;
  if (global_icvs().display_affinity) [[unlikely]]
    tell_affinity_change();
}

[[gnu::noinline]] Worker* run_member(Member& member) {
  Team& team = *member.team;
  begin_member(member, team);
  team.float_control.load();
  team.function(team.data);
  help_with_tasks(*member.thread, team);
  Worker* here = member.thread->worker;
  rest(member, team);
  return here;
}

void leave_region(Team& team) {
  Thread* primary = team.members[0]->thread;
  if (team.participants.leave()) resume(*primary);
}

bool rise_for_tasks(Member& member, Team& team, uint64_t region) {
  if (!team.participants.enter(region)) return false;
  member.rested.store(0, relaxed);
  help_with_tasks(*member.thread, team);
  rest(member, team);
  leave_region(team);
  return true;
}

namespace {

// Members that rest and might be adopted for tasks.
unsigned adoptable(const Team& team) {
  if (!team.has_tasks.load(relaxed)) return 0;
  unsigned inside = team.participants.inside();
  unsigned size = team.open_size.load(relaxed);
  return inside != 0 && inside < size && team.tasks_offered.load(relaxed) ? size - inside : 0;
}

}  // namespace

bool wants_worker(const Ticket& ticket) {
  auto& team = static_cast<const Team&>(ticket);
  return (!kernel_provider && team.unbegun.any()) || adoptable(team) != 0;
}

unsigned workers_wanted(const Ticket& ticket) {
  auto& team = static_cast<const Team&>(ticket);
  return (kernel_provider ? 0 : team.unbegun.count()) + adoptable(team);
}

Worker* take_part(Ticket& ticket, Worker& worker, Stack& stack) {
  auto& team = static_cast<Team&>(ticket);
  Worker* here = &worker;
  unsigned ended = 0;
  for (int number; (number = claim(team, *here)) >= 0; ended++) {
    if (ended == 0 && here->kind != WorkerKind::Root && team.unbegun.any()) {
      call_helper(team, *here);  // the call spreads like a tree
      if (team.unbegun.count() > 1) call_helper(team, *here);
    }
    Member& member = *team.members[number];
    carry(*member.thread, *here, stack);
    // Those before are left behind now: while this one runs, others may bring them tasks.
    if (ended != 0) leave_region(team);
    here = run_member(member);
  }
  if (ended != 0) {
    put_down(*here, stack);
    leave_region(team);
  } else if (team.has_tasks.load(relaxed) && team.participants.enter_any()) {
    if (Member* member = take_any_resting(team)) {
      carry(*member->thread, *here, stack);
      member->float_control.load();
      help_with_tasks(*member->thread, team);
      here = member->thread->worker;
      rest(*member, team);
      put_down(*here, stack);
    }
    leave_region(team);
  }
  return here;
}

namespace {

// Not the caller: who has announced that it sleeps, looks once more and finds tasks that it may not
// begin, must neither wake itself for them nor be forgotten.
int claim_sleeper(Team& team, const Thread& caller) {
  BitsetView& asleep = team.barrier.asleep;
  const Member& own = *caller.member;
  if (own.team != &team || !asleep.has(own.num)) [[likely]]
    return asleep.claim_lowest();
  for (unsigned num = 0; num < team.size; num++) {
    if (num != own.num && asleep.has(num) && asleep.claim(num)) return static_cast<int>(num);
  }
  return -1;
}

}  // namespace

void call_for_tasks(Team& team, const Thread& maker) {
  int sleeper = claim_sleeper(team, maker);
  if (sleeper >= 0) {
    resume(*team.members[sleeper]->thread);
  } else {
    call_who_rests(team, maker);
  }
}

// The caller has a fence between what it offers and this look; who rests, one between leaving the
// region and its look at the offer.
void call_who_rests(Team& team, const Thread& caller) {
  const bool all_inside = team.participants.inside() >= team.size;
  if (!kernel_provider) {
    if (!all_inside || team.unbegun.any()) call_helper(team, *caller.worker);
    return;
  }
  if (all_inside) return;
  for (unsigned num = 1; num < team.size; num++) {
    Member& member = *team.members[num];
    if (member.rested.load(relaxed) != team.region) continue;
    resume(*member.thread);
    return;
  }
}

}  // namespace bobbin
