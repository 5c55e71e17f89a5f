// SPDX-License-Identifier: Apache-2.0
#include <sys/prctl.h>

#include "fiber/tls/tls_image.h"
#include "platform/diagnostics.h"
#include "platform/keep_errno.h"
#include "platform/signals/detached_thread.h"
#include "sched/kernel_threads/kept.h"
#include "sched/monitor/monitor.h"
#include "sched/places/post_to_place.h"
#include "sched/places/processors_of_roots.h"
#include "sched/roots/credentials.h"
#include "sched/roots/give_way.h"
#include "sched/roots/standby.h"
#include "sched/workers/pool_state.h"
#include "sched/workers/spare_transit.h"

namespace bobbin {

// The pool's kernel threads: helpers and spares.

size_t native_stack_size() { return static_tls_size() + 128 * 1024; }

namespace {

// From the loop's beginning to its end.
void serve(Worker& worker) {
  const bool spare = worker.kind == WorkerKind::Spare;
  worker.belong_to_caller();
  worker.alt_stack.install();
  const bool displaced = worker.displaced_sp != nullptr;
  if (spare && !displaced) spare_has_arrived();
  displaced ? carry_on_displaced(worker) : run_loop(worker);
  // No signal is the kernel thread's until it carries a thread again.
  set_kernel_mask(kMaskOfOwnThreads);
  if (spare) spare_sets_out();
  worker.alt_stack.remove();
  const int place = worker.place;
  unregister_worker(&worker);
  if (spare) spare_has_arrived();
  if (place >= 0) cover_place(place, false);
}

// The monitor, which makes spare workers, has a short timer slack; user code must not.
void take_timer_slack() {
  unsigned long slack;
  {
    SpinGuard guard(pool.lock);
    slack = pool.timer_slack;
  }
  prctl(PR_SET_TIMERSLACK, slack, 0UL, 0UL, 0UL);
}

Atomic<bool> standby_is_on_its_way{false};

// A spare's kernel thread stands by when it does not serve. One that begins without a worker stands
// by at once.
void* helper_main(void* argument) {
  auto* worker = static_cast<Worker*>(argument);
  const bool spare = worker == nullptr || worker->kind == WorkerKind::Spare;
  if (spare) take_timer_slack();
  StandBy standby;
  if (worker == nullptr) {
    standby_is_on_its_way.store(false, relaxed);
    worker = stand_by(standby);
  }
  while (worker != nullptr) {
    if (worker->bound != nullptr) {
      move_to_place_of(*worker);
    } else {
      take_processors_of_roots(*worker);
    }
    // A helper without work reads it. If there never is one, the last helper does, for which no
    // other one waits.
    if (worker->helper + 1 == pool.most_helpers) whereabouts.read_machine();
    serve(*worker);
    worker = spare ? stand_by(standby) : nullptr;
  }
  return nullptr;
}

// The numbers that a new helper may get.
struct HelperNumbers {
  unsigned first;
  unsigned count;
};

// Gives a new helper a number, which it keeps until unregister_worker(). False: there are enough
// helpers.
bool number_helper(Worker& worker, const HelperNumbers& numbers) {
  SpinGuard guard(pool.lock);
  for (unsigned number = numbers.first; number < numbers.first + numbers.count; number++) {
    if (pool.helpers[number].load(relaxed) != nullptr) continue;
    worker.helper = number;
    pool.helpers[number].store(&worker, release);
    pool.helper_count.store(pool.helper_count.load(relaxed) + 1, relaxed);
    return true;
  }
  return false;
}

OnceFlag said_scarce;
constexpr uint64_t kScarceUs = 100'000;

}  // namespace

void note_scarcity() {
  pool.no_more_threads.set(ticks(), kScarceUs * ticks_per_us());
  warn_once(said_scarce, "cannot start another kernel thread; going on with fewer workers");
}

bool threads_scarce(uint64_t now) { return pool.no_more_threads.ahead(now); }

void start_standby() {
  if (standby_is_on_its_way.load(relaxed)) return;
  standby_is_on_its_way.store(true, relaxed);
  if (start_without_signals(helper_main, nullptr, native_stack_size())) {
    guard_credentials();
  } else {
    forget_standby_on_its_way();
  }
}

void forget_standby_on_its_way() { standby_is_on_its_way.store(false, relaxed); }

namespace {

bool start_numbered(WorkerKind kind, int place, const HelperNumbers& numbers) {
  if (threads_scarce(ticks())) return false;
  if (caller_hands_down()) {
    wake_monitor();  // the kernel thread would not have the process's state
                     // (sched/kernel_threads/kept.h)
    return false;
  }
  KeepErrno keep;
  Worker* worker = register_worker(kind);
  if (worker == nullptr) return false;
  belong_to_place(*worker, place);
  worker->active.store(true, relaxed);  // it looks for work at once
  if (kind == WorkerKind::Spare && wake_standby(*worker)) return true;
  const bool enough = kind == WorkerKind::Helper && !number_helper(*worker, numbers);
  if (!enough && start_without_signals(helper_main, worker, native_stack_size())) {
    guard_credentials();
    return true;
  }
  unregister_worker(worker);
  // A region goes on with the existing kernel threads: the root carries its whole team itself.
  if (!enough) note_scarcity();
  if (!enough && place >= 0) cover_place(place, true);
  return false;
}

}  // namespace

bool start_worker(WorkerKind kind, int place) {
  if (place < 0) return start_numbered(kind, place, {0, pool.most_helpers});
  return start_numbered(kind, place, {bound_places()[place].first_helper, 0});
}

bool start_helper(int place, unsigned most) {
  return start_numbered(WorkerKind::Helper, place, {bound_places()[place].first_helper, most});
}

bool helpers_idle() { return pool.idle.any(); }

namespace {

enum class Which : uint8_t { Idle, All };

void retire_helpers(Which which, unsigned first) {
  SpinGuard guard(pool.lock);
  unsigned left = pool.helper_count.load(relaxed);
  for (unsigned number = 0; left != 0 && number < kMaxHelpers; number++) {
    Worker* helper = pool.helpers[number].load(relaxed);
    if (helper == nullptr) continue;
    left--;
    if (number < first) continue;
    const bool idle = pool.idle.claim(number);
    const bool spins = announces_late(*helper) && !helper->active.load(relaxed);
    if (!idle && !spins && which == Which::Idle) continue;
    helper->retiring.store(true, release);
    helper->parking.unpark();
  }
}

}  // namespace

void end_surplus_helpers() { retire_helpers(Which::Idle, pool.most_helpers); }

void pause_pool() {
  end_standby();
  retire_helpers(Which::Idle, 0);
}

void end_pool() {
  retire_helpers(Which::All, 0);
  end_monitor();
  end_standby();
}

}  // namespace bobbin
