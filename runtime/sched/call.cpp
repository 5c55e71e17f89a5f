// SPDX-License-Identifier: Apache-2.0
#include <sched.h>

#include "platform/load.h"
#include "sched/pool_state.h"

// Who is called to a ticket, and when it is better to leave them asleep.
//
// To wake a kernel thread costs the caller some microseconds, and more pass until it runs: on a
// virtual machine a hundred. A region that ends before is better run by its thread alone. But when
// a program opens its regions at a regular pace, a helper can sleep through most of the gap and be
// awake when the region comes. So whoever forks, and finds that helpers may be asleep, learns the
// pace of its forks and how long its regions take, and
//   - calls a helper that is awake in any case: that costs a cache line;
//   - wakes one that sleeps if the region will last longer than two wake-ups (with half of the work
//     left to it, a helper that arrives later comes too late);
//   - wakes it too if the pace tells the time of the next fork so well that it is worth to be awake
//     then, and tells it that time.
//
// And nobody is called to processors that other processes keep busy, up to half of the machine's: a
// helper would take from them what the region gains, and the switches come on top. This is known
// only of machines that the process may use as a whole: of a part of one nobody tells who else may
// use it.
namespace bobbin {
namespace {

// Forks closer to each other find helpers that spin.
constexpr uint64_t kRareUs = 20;

bool fewer_active_than(unsigned limit, const Worker& self) {
  unsigned busy = 0;
  pool.each([&](const Worker& worker) {
    if (&worker != &self && worker.active.load(relaxed)) busy++;
    return busy >= limit;
  });
  return busy < limit;
}

// The processors that other processes leave. Half at least: who has more threads than processors
// does not get them all, and two processes that look at each other agree.
unsigned processors_left(uint64_t now) {
  const unsigned taken = pool.neighbours.busy(now);
  const unsigned half = pool.processors > 1 ? pool.processors / 2 : 1;
  return taken + half < pool.processors ? pool.processors - taken : half;
}

bool processor_free_beside(const Worker& busy, uint64_t now) {
  return fewer_active_than(processors_left(now) - 1, busy);
}

// Those of this process, as far as it knows them.
unsigned awake_kernel_threads() {
  unsigned awake = 0;
  pool.each([&](const Worker& worker) {
    if (!worker.parking.asleep()) awake++;
    return false;
  });
  return awake;
}

// How long a helper may be awake for a call: what idle workers spin in any case, or, for the sake
// of a program that computes in the gaps, a small part of what it computes there.
uint64_t longest_watch(Worker& forker, uint64_t gap) {
  constexpr uint64_t kPart = 16;
  const uint64_t most = idle_limits.most.load(relaxed);
  if (gap / kPart <= most || most == 0) return most;
  const uint64_t before = forker.cpu_ns;
  forker.cpu_ns = thread_cpu_ns();
  const uint64_t part = (forker.cpu_ns - before) * ticks_per_us() / (1000 * kPart);
  return part > most && part < gap / kPart ? part : most;
}

// Learns from a fork, tells the helper when to expect the next one, and decides whether to call it
// for this one.
bool worth_a_call(Ticket& ticket, Worker& forker, Worker& helper, uint64_t now, uint64_t gap) {
  ticket.forked_at = now;
  forker.pace.learn(gap);
  const uint64_t length = forker.lengths.expected(ticket.code);
  const uint64_t from = forker.pace.low();
  const uint64_t span = forker.pace.high() - from;
  const bool foreseen = span <= longest_watch(forker, gap) && span / 2 < length;
  if (foreseen) helper.expect_call(now + from, now + from + span);
  if (!helper.parking.asleep() || length > 2 * pool.wake_up.expected()) return true;
  if (foreseen && !helper.dozes.load(relaxed)) return true;
  pool.wake_up.fade();  // or nobody would ever see that it takes less time now
  return false;
}

}  // namespace

bool processor_free_for(const Worker& worker) {
  return fewer_active_than(processors_left(ticks()), worker);
}

void look_at_neighbours() {
  const uint64_t now = ticks();
  const uint64_t period = 10'000 * ticks_per_us();
  if (!pool.neighbours.look_is_due(now, period)) return;
  const unsigned runnable = runnable_kernel_threads();
  const unsigned own = awake_kernel_threads();
  const unsigned others = runnable > own ? runnable - own : 0;
  if (others == 0 || machine_processors() == pool.processors) {
    pool.neighbours.see(others, now, period);
  } else {
    pool.neighbours.ignore(now);
  }
}

void call_helper(Ticket& ticket, Worker& caller, Call call) {
  // A root that waits has a processor of its own; it takes part in what its own group does.
  Worker* home = ticket.group.load(relaxed)->home;
  if (home != &caller && home->idle.load(relaxed)) home->parking.unpark();
  bool can_start =
      pool.helper_count.load(relaxed) < pool.most_helpers && !pool.no_more_helpers.load(relaxed);
  if (!can_start && !pool.idle.any()) return;
  uint64_t now = ticks();
  if (Crowd::crowded(now) || !processor_free_beside(caller, now)) return;
  int number = pool.idle.lowest();
  if (number < 0) {
    if (can_start) start_worker(WorkerKind::Helper);
    return;
  }
  Worker* helper = pool.helpers[number].load(acquire);
  if (call == Call::Fork) {
    uint64_t gap = now - caller.forked_at;
    caller.forked_at = now;
    if (gap > kRareUs * ticks_per_us() && !worth_a_call(ticket, caller, *helper, now, gap)) return;
  }
  if (!pool.idle.claim(static_cast<unsigned>(number))) {
    number = pool.idle.claim_lowest();
    if (number < 0) return;
    helper = pool.helpers[number].load(acquire);
  }
  helper->hint.store(&ticket, relaxed);
  if (helper->parking.asleep()) {
    helper->called_at.store(now, relaxed);
    helper->called_from.store(sched_getcpu(), relaxed);
  }
  helper->parking.unpark();
}

}  // namespace bobbin
