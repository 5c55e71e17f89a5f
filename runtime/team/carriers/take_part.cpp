// SPDX-License-Identifier: Apache-2.0
#include "sched/workers/bound_places.h"
#include "sched/workers/pool.h"
#include "sched/workers/provider.h"
#include "sched/workers/ticket.h"
#include "team/carriers/bound_threads.h"
#include "team/members/at_home.h"
#include "team/members/member.h"
#include "team/model/task_hooks.h"

// What the scheduler asks of teams (sched/workers/ticket.h), and who is told when there are tasks.
namespace bobbin {

namespace {

// The number of resting members that might be adopted for tasks.
unsigned adoptable(const Team& team) {
  if (!team.has_tasks.load(relaxed)) return 0;
  unsigned size = team.open_size.load(relaxed);
  unsigned inside = team.participants.inside(size);
  return inside != 0 && inside < size && team.tasks_offered.load(relaxed) ? size - inside : 0;
}

}  // namespace

// What the part needs is read before its member rests. A worker that may adopt any thread finds the
// offer of tasks in the team's ticket. Here the rest is followed by a look at the offer instead,
// see wake_resting().
void part_ended(Fiber& fiber) {
  Member& member = *static_cast<Thread&>(fiber).own_member;
  if (!threads_are_bound) [[likely]]
    return rest_after_region(member);
  Worker& worker = *fiber.worker;
  Team& team = *member.team;
  const uint64_t region = team.region;
  rest_after_region(member);
  fence(seq_cst);
  if (adoptable(team) != 0) raise_bound_thread(team, region, worker);
}

bool wants_worker(const Ticket& ticket) {
  auto& team = static_cast<const Team&>(ticket);
  return team.unbegun.any() || adoptable(team) != 0;
}

unsigned workers_wanted(const Ticket& ticket) {
  auto& team = static_cast<const Team&>(ticket);
  return team.unbegun.count() + adoptable(team);
}

namespace {

// A number for a worker that has taken no part in the team yet, or whose number is taken: threads
// whose numbers are close run close to each other, as far as each worker has its share of them. On
// a machine of fast and slow cores the fast ones have the lower numbers.
int claim_another(Team& team, const Worker& worker) {
  const Distance& distance = whereabouts.distance();
  const unsigned all = distance.processors();
  if (distance.flat() || all == 0) [[likely]]
    return team.unbegun.claim_lowest();
  const unsigned turn = distance.turn(whereabouts.of(worker.index), team.members[0]->processor);
  const unsigned first = turn * team.size / all;
  if (team.unbegun.claim(first)) return static_cast<int>(first);
  return team.unbegun.claim_any(first);
}

int claim(Team& team, Worker& worker) {
  if (worker.last_ticket == &team && team.unbegun.claim(worker.last_part)) {
    return static_cast<int>(worker.last_part);
  }
  int number = claim_another(team, worker);
  if (number >= 0) {
    worker.last_ticket = &team;
    worker.last_part = static_cast<unsigned>(number);
  }
  return number;
}

}  // namespace

void take_part(Ticket& ticket, Worker& worker) {
  auto& team = static_cast<Team&>(ticket);
  int number = claim(team, worker);
  if (number >= 0) {
    if (worker.kind != WorkerKind::Root && team.unbegun.any()) {
      wake_helper(team, worker);  // the wake-ups spread like a tree
      if (team.unbegun.count() > 1) wake_helper(team, worker);
    }
    while (go_on_with(*team.members[number]->thread, worker, begin_claimed)) {
      number = comes_first(worker, team) ? claim(team, worker) : -1;
      if (number < 0) return set_thread_pointer(worker.native_tls);
    }
  } else if (team.has_tasks.load(relaxed) && team.participants.enter_any()) {
    if (Member* member = take_any_resting(team, team.region)) {
      if (is_kept(*member->thread)) return begin_at_home<rise_adopted>(*member->thread);
      if (go_on_with(*member->thread, worker, rise_adopted)) set_thread_pointer(worker.native_tls);
    } else {
      leave_region(team);
    }
  }
}

namespace {

// Never claims the caller. A caller may have announced that it sleeps, look once more and find
// tasks that it may not begin. It must neither wake itself for them nor be forgotten.
int claim_sleeper(Team& team, const Thread& caller) {
  BitsetView& asleep = team.barrier.asleep;
  const Member& own = *caller.member;
  if (own.team != &team || !asleep.has(own.index)) [[likely]]
    return asleep.claim_lowest();
  for (unsigned i = 0; i < team.end_of_indices(); i++) {
    if (i != own.index && asleep.has(i) && asleep.claim(i)) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

void wake_for_tasks(Team& team, const Thread& maker) {
  int sleeper = claim_sleeper(team, maker);
  if (sleeper >= 0) {
    resume(*team.members[sleeper]->thread);
  } else {
    wake_resting(team, maker);
  }
}

// The caller has a fence between its offer and this check. A member that rests has a fence between
// leaving the region and its check of the offer.
void wake_resting(Team& team, const Thread& caller) { provider.call_resting(team, caller); }

}  // namespace bobbin
