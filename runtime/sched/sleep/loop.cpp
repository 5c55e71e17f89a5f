// SPDX-License-Identifier: Apache-2.0
#include <sched.h>

#include <utility>

#include "platform/processors/away.h"
#include "sched/kernel_threads/kept.h"
#include "sched/monitor/monitor.h"
#include "sched/monitor/unhandled_signals.h"
#include "sched/places/processors_of_roots.h"
#include "sched/places/soft_binding.h"
#include "sched/workers/pool_state.h"
#include "sched/workers/signal_mask.h"
#include "sched/workers/tell_worker.h"

// The loop of a worker: what it does when it carries no fiber.
namespace bobbin {
namespace {

Ticket* own_ticket(Worker& worker) { return worker.tickets.find_innermost(wants_worker); }

Ticket* ticket_of(Worker& victim, const Group* group) {
  return victim.tickets.find_outermost([&](const Ticket& ticket) {
    return (group == nullptr || ticket.group.load(relaxed) == group) && wants_worker(ticket);
  });
}

// Has the place of a spare enough workers without it?
bool not_needed_at_place(const Worker& worker) {
  return worker.bound != nullptr && worker.kind == WorkerKind::Spare &&
         !worker.bound->stuck.load(relaxed);
}

// May this worker take work from that one? A root takes only work of its own group, and never from
// another root. If threads are bound, both belong to the same place.
bool is_source(const Worker& worker, const Worker& victim) {
  if (worker.place != victim.place || not_needed_at_place(worker)) return false;
  return worker.group == nullptr || victim.kind != WorkerKind::Root;
}

Ticket* foreign_ticket(Worker& worker) {
  Ticket* found = nullptr;
  pool.each_other_nearest_first(worker, [&](Worker& victim) {
    if (!is_source(worker, victim)) return false;
    found = ticket_of(victim, worker.group);
    if (found != nullptr) count_taken(worker, whereabouts.of(victim.index));
    return found != nullptr;
  });
  return found;
}

// A root takes only fibers of its own group, because what it takes must have ended before it can
// leave its region. Each worker takes only fibers of its own place, or of none.
auto suits(const Worker& worker) {
  return [group = worker.group, place = static_cast<int>(worker.place)](const Fiber* fiber) {
    if (group != nullptr && fiber->group.load(relaxed) != group) return false;
    const int bound_to = fiber->place.load(relaxed);
    return bound_to == place || bound_to < 0;
  };
}

bool offered_by_place(const Worker& worker) {
  return worker.bound != nullptr && !not_needed_at_place(worker) &&
         worker.bound->inbox.offers(suits(worker));
}

bool has_own_fiber(Worker& worker) {
  return worker.home_ready.load(relaxed) != nullptr || worker.ready.size() > 0 ||
         !worker.inbox.empty() || offered_by_place(worker);
}

// Takes what lies in the worker's own inbox, or in that of its place.
Fiber* drain(Inbox<Fiber>& inbox, Worker& worker) {
  Fiber* first = nullptr;
  auto mine = suits(worker);
  for (Fiber* fiber = inbox.take_all_fifo(); fiber != nullptr;) {
    Fiber* next = fiber->next;
    if (!mine(fiber)) {
      send_elsewhere(*fiber);  // a record may have belonged to another kernel thread
    } else if (first == nullptr) {
      first = fiber;
    } else if (!worker.ready.push(fiber)) {
      worker.inbox.push(fiber);
    }
    fiber = next;
  }
  // The thread that made them ready has told only this worker.
  if (worker.ready.size() > 0) wake_for_fibers(worker);
  return first;
}

// May other workers take what lies in its inbox? An idle worker has been told and comes by itself,
// unless the monitor has found that it does not come.
bool inbox_is_open(const Worker& victim) {
  return !victim.idle.load(relaxed) || victim.stuck.load(relaxed);
}

// From a worker that is busy with something else.
Fiber* steal_fiber(Worker& worker) {
  Fiber* stolen = nullptr;
  auto mine = suits(worker);
  pool.each_other_nearest_first(worker, [&](Worker& victim) {
    if (!is_source(worker, victim)) return false;
    if (victim.ready.steal_if(stolen, mine) == Steal::Success) {
      count_taken(worker, whereabouts.of(victim.index));
      if (victim.ready.size() > 0) wake_for_fibers(worker);
      return true;
    }
    stolen = nullptr;
    if (!victim.inbox.empty() && inbox_is_open(victim)) {
      for (Fiber* fiber = victim.inbox.take_all_fifo(); fiber != nullptr;) {
        Fiber* next = fiber->next;
        if (mine(fiber) && stolen == nullptr) {
          stolen = fiber;
        } else if (!mine(fiber) || !worker.ready.push(fiber)) {
          enqueue(*fiber);  // not just pushed back: the victim may have gone to sleep meanwhile
        }
        fiber = next;
      }
    }
    if (stolen != nullptr) count_taken(worker, whereabouts.of(victim.index));
    return stolen != nullptr;
  });
  return stolen;
}

// Returns when this fiber, or one that followed it on this worker, leaves and no other fiber is
// next.
void continue_fiber(Worker& worker, Fiber& fiber) {
  // A root that has waited outside of its regions continues there.
  if (worker.kind != WorkerKind::Root) worker.active.store(true, relaxed);
  if (fiber.sp == nullptr) return begin_part(fiber, worker);
  fiber.worker = &worker;
  if (tool::watched) [[unlikely]]
    tell_carries(worker, fiber);
  match_signal_mask(worker, fiber);
  worker.count_switch();
  bobbin_switch_context(&worker.loop_sp, fiber.sp, &worker, fiber.tls);
  if (worker.come_back()) set_thread_pointer(worker.native_tls);
}

Fiber* take_home_fiber(Worker& worker) {
  if (worker.home_ready.load(relaxed) == nullptr) return nullptr;
  return worker.home_ready.exchange(nullptr, acquire);
}

bool may_take_on(Worker& worker) {
  return worker.kind != WorkerKind::Helper || worker.forced.load(relaxed) ||
         processor_free_for(worker);
}

// Spins until `over()` holds or `until` has come. Returns whether it holds; updates `now`.
template <class Over>
bool spin(uint64_t& now, uint64_t until, Over&& over) {
  bool is_over = false;
  while (!is_over && now < until) {
    for (int round = 0; round < 16 && !is_over; round++) {
      cpu_pause();
      is_over = over();
    }
    now = ticks();
  }
  return is_over;
}

// Sleeps without measuring anything. See Parking.
void park(Worker& worker, uint64_t timeout_ns = kNoTimeout) {
  if (tool::watched) [[unlikely]]
    tell_carries_none(worker, bobbin_worker_sleeps);
  worker.parking.park(timeout_ns);
}

// Sleeps until it is woken.
void sleep(Worker& worker) {
  worker.woken_from.store(-1, relaxed);
  const bool may_move = enabled(Heuristic::Apart) && worker.bound == nullptr;
  const int avoided = may_move ? worker.waker_avoidance.avoid() : -1;
  worker.counts.ask(Heuristic::Apart, avoided >= 0);
  {
    AwayFrom away(avoided);
    park(worker);
  }
  const int caller = worker.woken_from.load(relaxed);
  if (caller < 0) return;
  const int here = sched_getcpu();
  if (avoided >= 0 && here == caller) worker.counts.regret(Heuristic::Apart);
  worker.waker_avoidance.learn(caller, here);
  pool.wake_up.learn(ticks() - worker.woken_at.load(relaxed));
}

}  // namespace

// The only helper of a place need not be told of what comes, as long as it spins: it looks itself.
// So it announces that it is idle only when it has spun in vain. Then a region costs its forking
// thread neither a write to the idle helpers' bits nor one to the helper's token.
bool announces_late(const Worker& helper) {
  return helper.bound != nullptr && helper.bound->most_helpers == 1;
}

namespace {

bool spin_for_own_fiber(Worker& worker, uint64_t start) {
  worker.active.store(false, relaxed);
  if (!may_spin(worker, start)) return false;
  uint64_t now = start;
  const bool found = spin(now, start + worker.idle_spin.ticks(),
                          [&] { return has_own_fiber(worker) || worker.parking.has_token(); });
  worker.counts.ask(Heuristic::SpinBudget, found);
  if (worker.parking.has_token()) worker.parking.park();  // takes it
  if (found) worker.idle_spin.learn(now - start);
  return found;
}

constexpr uint64_t kRetirementCheckNs = 10'000'000;

// `called`: it has been, while it spun.
void sleep_unless(bool called, Worker& worker) {
  if (worker.kind == WorkerKind::Spare && !called) worker.retiring.store(true, relaxed);
  if (worker.retiring.load(relaxed)) {
    // Other workers find the teams that were forked here only through this worker's record.
    if (!worker.tickets.empty()) park(worker, kRetirementCheckNs);
  } else if (called || worker.kind != WorkerKind::Helper) {
    called ? static_cast<void>(worker.parking.park()) : park(worker);
  } else {
    sleep(worker);
  }
}

// Announces, looks once more, spins, sleeps. See Parking.
void idle(Worker& worker) {
  bool root = worker.kind == WorkerKind::Root;
  const bool has_spun = worker.kind == WorkerKind::Helper && announces_late(worker);
  uint64_t start = ticks();
  if (has_spun && spin_for_own_fiber(worker, start)) return;
  if (worker.kind == WorkerKind::Helper) whereabouts.read_machine();
  worker.forced.store(false, relaxed);
  if (!root) worker.active.store(false, relaxed);
  worker.idle.store(true, relaxed);
  if (worker.kind == WorkerKind::Helper) pool.idle.set(worker.helper);
  fence(seq_cst);
  if (!has_any_work(worker)) {
    if (worker.kind == WorkerKind::Helper) look_at_neighbours();
    SpinBudget& budget = root ? worker.wait_spin : worker.idle_spin;
    uint64_t now = ticks();
    if (!has_spun) start = now;
    const bool called = !has_spun && may_spin(worker, now) &&
                        (root || processor_free_for(worker)) &&
                        spin(now, now + budget.ticks(), [&] { return worker.parking.has_token(); });
    if (!has_spun) worker.counts.ask(Heuristic::SpinBudget, called);
    if (called || !take_from_near_places(worker)) {
      sleep_unless(called, worker);
      if (!called) now = ticks();
      budget.learn(now - start);
    }
  }
  if (worker.kind == WorkerKind::Helper) pool.idle.claim(worker.helper);
  worker.idle.store(false, relaxed);
  if (!root) take_processors_again(worker);
}

}  // namespace

Fiber* next_own_fiber(Worker& worker) {
  if (Fiber* fiber = take_home_fiber(worker)) return fiber;
  Fiber* fiber = nullptr;
  while (worker.ready.size() > 0) {
    if ((fiber = worker.ready.take_oldest()) != nullptr) return fiber;
  }
  if (!worker.inbox.empty()) fiber = drain(worker.inbox, worker);
  if (fiber == nullptr && offered_by_place(worker)) [[unlikely]]
    fiber = drain(worker.bound->inbox, worker);
  return fiber;
}

bool has_other_work(Worker& worker) {
  return has_own_fiber(worker) || own_ticket(worker) != nullptr;
}

bool comes_first(Worker& worker, const Ticket& ticket) {
  if (has_own_fiber(worker)) return false;
  const Ticket* own = own_ticket(worker);
  return own == nullptr || own == &ticket;
}

bool has_any_work(Worker& worker) {
  if (has_other_work(worker)) return true;
  if (!may_take_on(worker)) return false;
  bool found = false;
  auto mine = suits(worker);
  pool.each_other(worker, [&](Worker& victim) {
    if (!is_source(worker, victim)) return false;
    found = ticket_of(victim, worker.group) != nullptr || victim.ready.offers(mine) ||
            (victim.inbox.offers(mine) && inbox_is_open(victim));
    return found;
  });
  return found;
}

namespace {

// For a worker that was woken for a ticket and is about to do something else.
void pass_on(Ticket* hint, Worker& worker) {
  if (hint != nullptr && wants_worker(*hint)) wake_helper(*hint, worker);
}

// Did the monitor send it?
bool was_sent(const Worker& worker) {
  return worker.kind == WorkerKind::Spare || worker.forced.load(relaxed);
}

Ticket* take_hint(Worker& worker) {
  return worker.hint.load(relaxed) != nullptr ? worker.hint.exchange(nullptr, relaxed) : nullptr;
}

}  // namespace

Fiber* wait_at_home(Worker& home) {
  home.active.store(false, relaxed);
  for (;;) {
    if (Fiber* fiber = take_home_fiber(home)) return fiber;
    if (home.retiring.load(acquire)) return nullptr;
    if (spin_for_own_fiber(home, ticks())) continue;
    // The spin takes a token that comes at its end.
    if (home.home_ready.load(relaxed) == nullptr && !home.retiring.load(relaxed)) park(home);
  }
}

void carry_at_home(Worker& home, Fiber& fiber) { continue_fiber(home, fiber); }

void run_loop(Worker& worker) {
  for (;;) {
    worker.pass_scheduling_point();
    if (tool::watched) [[unlikely]]
      tell_carries_none(worker, bobbin_worker_looks);
    if (any_unhandled() && was_sent(worker)) [[unlikely]]
      handle_listed(worker);
    Ticket* hint = take_hint(worker);
    const TakeFirst first = std::exchange(worker.take_first, TakeFirst::Begun);
    Fiber* own_fiber = first == TakeFirst::Begun ? next_own_fiber(worker) : nullptr;
    Ticket* own = own_fiber == nullptr ? own_ticket(worker) : nullptr;
    if (own != nullptr) {
      if (own != hint) pass_on(hint, worker);
      worker.active.store(true, relaxed);
      take_part(*own, worker);
      continue;
    }
    if (first == TakeFirst::Unbegun) own_fiber = next_own_fiber(worker);
    if (own_fiber != nullptr) {
      pass_on(hint, worker);
      continue_fiber(worker, *own_fiber);
      continue;
    }
    if (may_take_on(worker)) {
      Ticket* ticket = hint != nullptr && wants_worker(*hint) ? hint : foreign_ticket(worker);
      if (ticket != nullptr) {
        worker.active.store(true, relaxed);
        take_part(*ticket, worker);
        continue;
      }
      own_fiber = steal_fiber(worker);
    }
    // The one that has yielded.
    if (own_fiber == nullptr && first == TakeFirst::Elsewhere) own_fiber = next_own_fiber(worker);
    if (own_fiber != nullptr) {
      continue_fiber(worker, *own_fiber);
      continue;
    }
    idle(worker);
    // A wake-up that was on its way when the worker was told to end is still served.
    const bool called = worker.hint.load(relaxed) != nullptr || has_own_fiber(worker);
    if (worker.retiring.load(acquire) && worker.tickets.empty() && !called) return;
  }
}

}  // namespace bobbin
