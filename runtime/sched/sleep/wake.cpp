// SPDX-License-Identifier: Apache-2.0
#include <sched.h>

#include "platform/processors/load.h"
#include "sched/workers/pool_state.h"

// Which helpers are woken for a ticket, and when it is better to leave them asleep.
//
// To wake a kernel thread costs the waking thread some microseconds, and more pass until it runs: a
// hundred on a virtual machine. A region that ends before is better run by its thread alone. So a
// thread that forks, and finds that helpers may be asleep, learns the lengths of its regions. Then
// it
//   - always unparks a helper that is awake: that costs a cache line;
//   - wakes one that sleeps if the region will last longer than two wake-ups (half of the work is
//     the helper's; a helper that arrives after the first half comes too late).
//
// No helper is woken for processors that other processes keep busy, up to half of the machine's
// processors: a helper would take from them what the region gains, and the switches come on top.
// This is known only if the process may use the whole machine. For a part of a machine nothing
// tells which other processes may use it. Old results are checked: a helper looks whether those
// processes have gone before it takes on work or spins.
namespace bobbin {
namespace {

// After shorter gaps than this, helpers still spin.
constexpr uint64_t kRareUs = 20;

// Are fewer than `limit` workers active, this one left out? On a large machine the flags of all
// workers are many cache lines, each of which another worker writes. So they are read only as far
// as the numbers of workers and of idle helpers, which are not active, do not give the answer.
// `idle`: so many idle helpers the caller has seen.
bool fewer_active_than(unsigned limit, const Worker& self, unsigned idle = 0) {
  const unsigned others = pool.highest.load(relaxed) - 1;
  if (others < limit + idle) return true;
  const unsigned inactive = others - limit + 1;  // so many of them must be
  const bool announced = self.helper != kNoHelper && pool.idle.has(self.helper);
  if (pool.idle.has_at_least(inactive + (announced ? 1 : 0))) return true;
  unsigned busy = 0;
  unsigned left = others;
  pool.each_other(self, [&](const Worker& worker) {
    left--;
    if (worker.active.load(relaxed)) busy++;
    return busy >= limit || busy + left < limit;
  });
  return busy < limit;
}

// The processors that other processes leave; half of all at least. A process with more threads than
// processors does not get them all, and two processes that look at each other agree.
unsigned processors_left(uint64_t now) {
  const unsigned taken = pool.neighbours.busy(now);
  const unsigned half = pool.processors > 1 ? pool.processors / 2 : 1;
  return taken + half < pool.processors ? pool.processors - taken : half;
}

bool processor_free_beside(const Worker& busy, uint64_t now, unsigned idle) {
  return fewer_active_than(processors_left(now) - 1, busy, idle);
}

// Awake kernel threads of this process, as far as the pool knows them.
unsigned awake_kernel_threads() {
  unsigned awake = 0;
  pool.each([&](const Worker& worker) {
    if (!worker.parking.asleep()) awake++;
    return false;
  });
  return awake;
}

// Would the helper come in time for a region of that length?
bool worth_waking(const Worker& helper, uint64_t length) {
  if (!enabled(Heuristic::RegionLengths) || !helper.parking.asleep()) return true;
  if (length > 2 * pool.wake_up.expected()) return true;
  pool.wake_up.fade();  // or it would never be noticed that it takes less time now
  return false;
}

}  // namespace

void look_at_neighbours() {
  const uint64_t now = ticks();
  const uint64_t period = 10'000 * ticks_per_us();
  if (!enabled(Heuristic::Neighbours) || !pool.neighbours.look_is_due(now, period)) return;
  const unsigned runnable = runnable_kernel_threads();
  const unsigned own = awake_kernel_threads();
  const unsigned others = runnable > own ? runnable - own : 0;
  if (others == 0 || machine_processors() == pool.processors) {
    pool.neighbours.see(others, now, ticks() - now, period);
  } else {
    pool.neighbours.ignore();
  }
}

bool processor_free_for(const Worker& worker) {
  if (worker.bound != nullptr) [[unlikely]]
    return true;
  const uint64_t now = ticks();
  if (pool.neighbours.doubtful(now)) look_at_neighbours();
  return fewer_active_than(processors_left(now), worker);
}

bool may_spin(const Worker& worker, uint64_t now) {
  const unsigned taken = pool.neighbours.busy(now);
  if (taken == 0) [[likely]]
    return true;
  return taken < pool.processors && fewer_active_than(pool.processors - taken, worker);
}

namespace {

// Wakes that helper, or another one if a thread has just claimed it. None is idle any more: no one.
void wake_one(Ticket& ticket, const Worker& caller, int number, uint64_t now) {
  Worker* helper = pool.idle.claim(static_cast<unsigned>(number))
                       ? pool.helpers[number].load(acquire)
                       : pool.claim_idle_helper(caller);
  if (helper == nullptr) return;
  helper->hint.store(&ticket, relaxed);
  if (helper->parking.asleep()) {
    helper->woken_at.store(now, relaxed);
    helper->woken_from.store(sched_getcpu(), relaxed);
  }
  helper->parking.unpark();
}

// The number of the helper that could best be woken now, or -1.
int helper_to_wake(const Ticket& ticket, Worker& caller, uint64_t now) {
  // A root that waits has a processor of its own; it takes part in what its own group does.
  Worker* home = ticket.group.load(relaxed)->home;
  if (home != &caller && home->idle.load(relaxed)) home->parking.unpark();
  const bool can_start =
      pool.helper_count.load(relaxed) < pool.most_helpers && !threads_scarce(now);
  // Looked for once, because all who wake helpers write there.
  const int number = pool.best_idle(caller);
  if (!can_start && number < 0) return -1;
  if (!processor_free_beside(caller, now, number >= 0 ? 1 : 0)) return -1;
  if (number < 0 && can_start) start_worker(WorkerKind::Helper, -1);
  return number;
}

void wake_after_pause(Ticket& ticket, Worker& forker, uint64_t now) {
  const int number = helper_to_wake(ticket, forker, now);
  if (number < 0) return;
  const Worker* helper = pool.helpers[number].load(acquire);
  if (helper == nullptr) return;
  const bool asleep = helper->parking.asleep();
  ticket.begun_at = now;
  ticket.way = BriefRegions::Way::Untimed;
  const bool worth = worth_waking(*helper, forker.lengths.expected(ticket.code));
  forker.counts.ask(Heuristic::RegionLengths, !worth);
  if (!worth) return;
  wake_one(ticket, forker, number, now);
  // The time of the wake-up does not count as the region's, or wake-ups themselves would make it
  // long.
  if (asleep) ticket.begun_at += pool.wake_up.expected();
}

}  // namespace

void wake_helper(Ticket& ticket, Worker& caller) {
  const uint64_t now = ticks();
  const int number = helper_to_wake(ticket, caller, now);
  if (number >= 0) wake_one(ticket, caller, number, now);
}

namespace {

Worker* claim_idle_of(int place) {
  if (place < 0) return pool.claim_idle_helper();
  const BoundPlace& bound = bound_places()[place];
  return pool.claim_idle_helper(bound, bound.most_helpers);
}

}  // namespace

bool force_helper(Ticket* hint, int place) {
  Worker* helper = claim_idle_of(place);
  if (helper == nullptr) return false;
  helper->forced.store(true, relaxed);
  if (hint != nullptr) helper->hint.store(hint, relaxed);
  helper->parking.unpark();
  return true;
}

void wake_for_fibers(Worker& worker) {
  const uint64_t now = ticks();
  if (!pool.idle.any()) return;
  const bool bound = worker.bound != nullptr;
  if (!bound && !processor_free_beside(worker, now, 1)) return;
  if (Worker* helper = pool.claim_idle_helper(worker)) helper->parking.unpark();
}

void wake_at_fork(Ticket& ticket, Worker& forker, uint64_t now) {
  const uint64_t gap = forker.forked_at != 0 ? now - forker.forked_at : 0;
  forker.forked_at = now;
  whereabouts.note(forker.index);
  if (gap > kRareUs * ticks_per_us()) {
    wake_after_pause(ticket, forker, now);
    return;
  }
  ticket.way = BriefRegions::Way::Untimed;
  if (enabled(Heuristic::BriefRegions)) {
    ticket.way = forker.brief_regions.next(ticket.code, now, pool.wake_up.expected());
    forker.counts.ask(Heuristic::BriefRegions, ticket.way == BriefRegions::Way::Alone);
  }
  if (ticket.way != BriefRegions::Way::Untimed) ticket.begun_at = now;
  if (ticket.way == BriefRegions::Way::Alone) return;
  const int number = helper_to_wake(ticket, forker, now);
  if (number >= 0) wake_one(ticket, forker, number, now);
}

void learn_length(Ticket& ticket, Worker& forker) {
  const uint64_t now = ticks();
  const uint64_t length = now > ticket.begun_at ? now - ticket.begun_at : 0;
  ticket.begun_at = 0;
  if (ticket.way == BriefRegions::Way::Untimed) {
    forker.lengths.learn(ticket.code, length);
  } else {
    const bool lost = forker.brief_regions.learn(ticket.code, length, ticket.way, ticks_per_us());
    if (lost) forker.counts.regret(Heuristic::BriefRegions);
  }
}

}  // namespace bobbin
