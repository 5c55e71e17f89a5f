// SPDX-License-Identifier: Apache-2.0
#include "sched/roots/admission.h"

#include "platform/clocks/clock.h"
#include "platform/keep_errno.h"
#include "platform/locks/futex.h"
#include "sched/workers/pool_state.h"

namespace bobbin {
namespace {

constexpr uint64_t kLongWayUs = 200;
constexpr uint64_t kForgottenUs = 100'000;  // an ask that is older was not for a region
constexpr uint64_t kPatienceUs = 5'000;     // a root that waits longer is let go first
constexpr uint64_t kLongestWaitUs = 20'000;
constexpr uint64_t kNapNs = 50'000;
constexpr unsigned kAsksInVain = 16;  // further asks are ignored

struct Look : AdmissionForecast::Seen {
  uint64_t longest_wait = 0;
};

Look look_at_others(const Worker& self, uint64_t now) {
  const uint64_t tick = ticks_per_us();
  Look seen;
  pool.each([&](const Worker& worker) {
    if (worker.kind != WorkerKind::Root || &worker == &self) return false;
    const uint64_t waits_since = worker.admission.waits_since;
    const uint64_t asked_at = worker.admission.asked_at;
    if (worker.active.load(relaxed)) {
      seen.open++;
    } else if (waits_since != 0) {
      seen.waits = true;
      const uint64_t wait = now > waits_since ? now - waits_since : 0;
      if (wait > seen.longest_wait) seen.longest_wait = wait;
    } else if (asked_at > worker.forked_at && now - asked_at < kForgottenUs * tick) {
      seen.on_way = true;
      if (now - asked_at > kLongWayUs * tick) seen.long_way = true;
    }
    return seen.open == 2;
  });
  return seen;
}

void nap() {
  Atomic<uint32_t> nobody_wakes{0};
  futex_wait(nobody_wakes, 0, kNapNs);
}

// In short naps, so that a thread that ends a region need not look for waiting roots.
void wait_for_turn(Worker& root, uint64_t now) {
  KeepErrno keep;
  Admission& own = root.admission;
  const uint64_t begun = now;
  own.asked_at = 0;
  own.waits_since = begun;
  Look seen;
  do {
    nap();
    now = ticks();
    seen = look_at_others(root, now);
  } while ((seen.open == 1 || seen.on_way) && now - begun < kLongestWaitUs * ticks_per_us());
  if (now - begun >= kLongestWaitUs * ticks_per_us()) root.counts.regret(Heuristic::Turns);
  if (seen.open > 1) own.forecast.learn(seen);
  own.waits_since = 0;
}

}  // namespace

void await_admission(Worker& root) {
  if (pool.roots_met.load(relaxed) < 2 || !enabled(Heuristic::Turns)) return;
  Admission& own = root.admission;
  if (root.forked_at > own.asked_at) {
    own.in_vain = 0;
  } else if (++own.in_vain > kAsksInVain) {
    own.asked_at = 0;
    return;
  }
  const uint64_t now = ticks();
  const Look seen = look_at_others(root, now);
  own.forecast.learn(seen);
  const bool impatient = seen.longest_wait > kPatienceUs * ticks_per_us();
  const bool waits = own.forecast.turns_are_taken() && (seen.open == 1 || seen.on_way || impatient);
  root.counts.ask(Heuristic::Turns, waits);
  if (waits) wait_for_turn(root, now);
  own.asked_at = ticks();
}

}  // namespace bobbin
