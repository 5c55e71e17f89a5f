// SPDX-License-Identifier: Apache-2.0
#include "sched/monitor/monitor.h"

#include <signal.h>
#include <sys/prctl.h>

#include <algorithm>
#include <climits>

#include "platform/clocks/coarse_clock.h"
#include "platform/keep_errno.h"
#include "platform/locks/futex.h"
#include "platform/processors/load.h"
#include "platform/signals/detached_thread.h"
#include "sched/monitor/gang_regions.h"
#include "sched/monitor/unhandled_signals.h"
#include "sched/roots/credentials.h"
#include "sched/roots/stand_in.h"
#include "sched/workers/pool_state.h"
#include "sched/workers/spare_transit.h"

namespace bobbin {
namespace {

enum : uint32_t { kNone, kStarting, kAsleep, kWatching, kEnding };

// While regions are open the monitor looks often. At first it looks most often, because a program's
// first threads may wait for others that have no worker yet. Looks that find no open region come
// less and less often, because a program that opens one every 10 ms should not pay for two looks
// each time. At last the monitor sleeps.
constexpr uint64_t kFirstTickNs = 500'000;
constexpr uint64_t kShortestTickNs = 5'000'000;
constexpr uint64_t kLongestTickNs = 80'000'000;
constexpr unsigned kQuietTicks = 25;

// A calm: all threads compute or sleep, and nothing waits. The pause before the next look is this
// part of the time that the calm has lasted. So a long calm costs few looks, and work that ends it
// is found after at most a sixteenth of that time.
constexpr unsigned kPartOfCalm = 16;

// A worker that blocks again and again, each time for less than one interval, is at another place
// at every look. But then a processor is idle while fibers wait, and a few looks in quick
// succession tell. If they find such a worker, the next looks come at still shorter intervals, and
// need not find the same worker blocked twice: it is enough that a processor is idle while fibers
// wait.
constexpr uint64_t kCloseTickNs = 250'000;
constexpr unsigned kCloseLooks = 4;
constexpr uint64_t kClosestTickNs = 100'000;
constexpr unsigned kClosestLooks = 200;

Atomic<uint32_t> state{kNone};

// How many workers would find something to do behind this one: at least one if it has other work.
unsigned wanted_behind(Worker& worker) {
  unsigned wanted = static_cast<unsigned>(worker.ready.size());
  if (!worker.inbox.empty()) wanted++;  // one worker takes all, and is looked at next time
  const BoundPlace* place = worker.bound;
  if (place != nullptr && !place->inbox.empty()) wanted++;
  worker.tickets.find_outermost([&](const Ticket& ticket) {
    wanted += workers_wanted(ticket);
    return false;
  });
  return wanted;
}

// An idle worker has been told of the fibers in its inbox, and is left alone with them. But a
// thread that never lets go of a processor may occupy the worker's processor, even if other
// processors are free. So the worker is left alone only from one look to the next.
bool told_in_vain(Worker& worker, bool still) {
  const bool told = worker.idle.load(relaxed) && !worker.inbox.empty();
  const bool in_vain = told && worker.told_seen && still;
  worker.told_seen = told;
  return in_vain;
}

bool others_wait_behind(Worker& worker, bool still) {
  const bool in_vain = told_in_vain(worker, still);
  return worker.idle.load(relaxed) ? in_vain : has_other_work(worker);
}

struct Look {
  bool open = false;     // a region is open
  bool moved = false;    // a worker has passed a scheduling point since the last look
  unsigned waiting = 0;  // how many workers would find something to do behind others ...
  unsigned stuck = 0;    // ... that have not passed a scheduling point since the last look
};

void forget_what_places_want() {
  if (!threads_are_bound) return;
  const BoundPlaces& places = bound_places();
  for (int i = 0; i < static_cast<int>(places.count()); i++) {
    places[i].wanted = 0;
    places[i].stuck.store(false, relaxed);
  }
}

Look look_at_workers() {
  Look seen;
  forget_what_places_want();
  pool.each([&](Worker& worker) {
    seen.open = seen.open || worker.active.load(relaxed);
    uint32_t progress = worker.progress.load(relaxed);
    bool still = progress == worker.progress_seen;
    worker.progress_seen = progress;
    seen.moved = seen.moved || !still;
    const bool others_wait = others_wait_behind(worker, still);
    worker.stuck.store(still && others_wait, relaxed);
    if (still && others_wait) note_if_it_sleeps(worker);
    if (still && worker.home_ready.load(relaxed) != nullptr) recall_root(worker);
    unsigned waiting = others_wait ? wanted_behind(worker) : 0;
    seen.waiting += waiting;
    if (still) seen.stuck += waiting;
    BoundPlace* place = waiting != 0 ? worker.bound : nullptr;
    if (place != nullptr) {
      place->wanted += waiting;
      if (still) place->stuck.store(true, relaxed);
    }
    return false;
  });
  return seen;
}

// The place behind whose workers most is wanted, or -1. One worker is on its way there.
int place_of_next_worker() {
  if (!threads_are_bound) return -1;
  const BoundPlaces& places = bound_places();
  int most = 0;
  for (int i = 1; i < static_cast<int>(places.count()); i++) {
    if (places[i].wanted > places[most].wanted) most = i;
  }
  if (places[most].wanted != 0) places[most].wanted--;
  return most;
}

bool add_worker() {
  const int place = place_of_next_worker();
  if (force_helper(nullptr, place)) return true;
  spare_sets_out();
  if (start_worker(WorkerKind::Spare, place)) return true;
  spare_has_arrived();
  return false;
}

// This cannot be known if the process is confined to a part of the machine. The monitor itself is
// runnable.
bool processor_idle() {
  if (machine_processors() != pool.processors) return false;
  const unsigned runnable = runnable_kernel_threads();
  return runnable != 0 && runnable <= pool.processors;
}

class Rescue {
 public:
  // If every processor is taken, spares are slow to arrive and to end. Twice as many meanwhile, and
  // twice as many again, would be more than there are threads to take. True: a worker is on the
  // way.
  bool send(unsigned wanted) {
    if (spares_in_transit.load(relaxed) != 0) return false;
    unsigned sent = 0;
    while (sent < most_ && sent < wanted && add_worker()) sent++;
    if (most_ < kMaxWorkers) most_ *= 2;
    return sent != 0;
  }
  void not_wanted() { most_ = 1; }

 private:
  unsigned most_ = 1;
};

// What the monitor does at each tick.
class Patrol {
 public:
  bool close() const { return close_looks_ != 0; }

  uint64_t tick(uint64_t usual) const {
    if (!close()) return std::max(usual, std::min(calm_ns_ / kPartOfCalm, kLongestTickNs));
    return they_block_ ? kClosestTickNs : kCloseTickNs;
  }

  // Returns whether any region is open. `slept`: since the last look.
  bool look(uint64_t slept) {
    coarse_clock.advance();
    const UnhandledSignals listed = sort_unhandled();
    for (unsigned sent = 0; sent < listed.visits && add_worker(); sent++) {
    }
    const Look seen = look_at_workers();
    const bool calm = seen.open && !seen.moved && seen.waiting == 0 && !listed.any;
    calm_ns_ = calm ? calm_ns_ + slept : 0;
    const bool in_vain = seen.waiting != 0 && processor_idle();
    if (close()) {
      close_looks_--;
      const unsigned wanted = they_block_ ? seen.waiting : seen.stuck;
      if (in_vain && wanted != 0 && rescue_.send(wanted)) {
        they_block_ = true;
        close_looks_ = kClosestLooks;
      }
    } else {
      if (seen.stuck != 0) {
        rescue_.send(seen.stuck);
      } else {
        rescue_.not_wanted();
      }
      they_block_ = false;
      if (in_vain) close_looks_ = kCloseLooks;
    }
    return seen.open || listed.any;
  }

 private:
  Rescue rescue_;
  uint64_t calm_ns_ = 0;
  unsigned close_looks_ = 0;
  bool they_block_ = false;
};

// A root that has opened a region meanwhile may have seen that there is a monitor, and relies on
// it. The root is active before its fence and before it reads `state`.
bool should_end() {
  if (state.load(relaxed) != kEnding) return false;
  fence(seq_cst);
  uint32_t ending = kEnding;
  const uint32_t next = open_roots() == 0 ? kNone : kWatching;
  return state.compare_exchange_strong(ending, next, acq_rel, relaxed) && next == kNone;
}

void wait_until_started() {
  while (state.load(acquire) == kStarting) futex_wait(state, kStarting);
}

void* monitor_main(void*) {
  wait_until_started();
  unsigned quiet = 0;
  Patrol patrol;
  uint64_t tick = kFirstTickNs;
  use_least_timer_slack();
  for (;;) {
    const uint64_t pause = patrol.tick(tick);
    futex_wait(state, kWatching, pause);
    if (should_end()) break;
    if (patrol.look(pause) || patrol.close()) {
      quiet = 0;
      tick = tick < kShortestTickNs / 2 ? 2 * tick : kShortestTickNs;
      continue;
    }
    if (tick < kLongestTickNs) tick *= 2;
    if (++quiet < kQuietTicks) continue;
    uint32_t watching = kWatching;
    if (!state.compare_exchange_strong(watching, kAsleep, acq_rel, relaxed)) continue;
    fence(seq_cst);
    // A thread that opens a region publishes it, and then reads `state`. The monitor announces that
    // it falls asleep, and then looks for regions.
    if (patrol.look(0)) {
      uint32_t asleep = kAsleep;
      state.compare_exchange_strong(asleep, kWatching, acq_rel, relaxed);
    } else {
      while (state.load(acquire) == kAsleep) futex_wait(state, kAsleep);
      if (should_end()) break;
    }
    quiet = 0;
    tick = kFirstTickNs;
  }
  return nullptr;
}

// The last start of a monitor failed.
Atomic<bool> patience_in_vain{false};

// Without a monitor a program hangs if its threads wait for each other, and perhaps nothing would
// try again. So it is tried even if a helper could not be started, and several times.
bool start_patiently() {
  constexpr uint64_t kPauseNs = 200'000;
  const unsigned attempts = patience_in_vain.load(relaxed) ? 1 : 3;
  for (unsigned attempt = 1;; attempt++) {
    const bool started = start_without_signals(monitor_main, nullptr, native_stack_size());
    if (started) guard_credentials();
    if (started || attempt == attempts) {
      patience_in_vain.store(!started, relaxed);
      return started;
    }
    futex_wait(state, kStarting, kPauseNs);
  }
}

// False: the start failed. True: it succeeded, or another thread changed `state` first.
bool start_monitor() {
  uint32_t expected = kNone;
  if (!state.compare_exchange_strong(expected, kStarting, acq_rel, acquire)) return true;
  {
    SpinGuard guard(pool.lock);
    pool.timer_slack = static_cast<unsigned long>(prctl(PR_GET_TIMERSLACK, 0UL, 0UL, 0UL, 0UL));
  }
  KeepErrno keep;
  const bool started = start_patiently();
  state.store(started ? kWatching : kNone, release);
  futex_wake(state, INT_MAX);
  if (!started) note_scarcity();
  return started;
}

}  // namespace

void watch_for_stuck_workers() {
  for (;;) {
    uint32_t seen = state.load(relaxed);
    if (seen == kWatching) [[likely]]
      return;
    coarse_clock.advance();  // it has stood still, and the first look comes later
    if (seen == kStarting) {
      wait_until_started();  // perhaps the start fails; then this thread tries
    } else if (seen == kNone) {
      if (!start_monitor()) return;
    } else if (state.compare_exchange_strong(seen, kWatching, acq_rel, relaxed)) {
      if (seen == kAsleep) futex_wake(state, 1);
      return;  // if it was ending, it goes on
    }
  }
}

void end_monitor() {
  uint32_t seen = state.load(relaxed);
  while (seen == kAsleep || seen == kWatching) {
    if (!state.compare_exchange_weak(seen, kEnding, acq_rel, relaxed)) continue;
    futex_wake(state, 1);
    return;
  }
}

bool wake_monitor() {
  uint32_t seen = kAsleep;
  if (!state.compare_exchange_strong(seen, kWatching, acq_rel, relaxed) && seen != kWatching) {
    return false;
  }
  futex_wake(state, 1);
  return true;
}

void forget_monitor_after_fork() {
  state.store(kNone, relaxed);
  spares_in_transit.store(0, relaxed);
}

}  // namespace bobbin
