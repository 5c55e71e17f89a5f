// SPDX-License-Identifier: Apache-2.0
#include "sched/places/processor_changes.h"

#include "env/icv.h"
#include "platform/clocks/clock.h"
#include "platform/keep_errno.h"
#include "platform/locks/spinlock.h"
#include "platform/processors/processors.h"
#include "sched/places/processors_of_roots.h"
#include "sched/processors/known_processors.h"
#include "sched/processors/spin.h"
#include "sched/workers/pool_state.h"

namespace bobbin {
namespace {

constexpr uint64_t kPeriodUs = 100'000;
constexpr unsigned kLooks = 500;  // looks take a 500th of the time at most

// Held by the thread that looks, because cgroup_quota() is for one caller at a time.
SpinLock looking;
Atomic<unsigned> known_quota{0};

CpuSet look_at_masks() {
  CpuSet mask;
  if (!global_icvs().binds_threads()) mask = processors_of_roots();
  return mask.empty() ? known_processors.mask() : mask;
}

void apply(const CpuSet& mask, unsigned quota) {
  const bool moved = mask != known_processors.mask();
  if (!moved && quota == known_quota.load(relaxed)) return;
  known_processors.set_mask(mask);
  known_quota.store(quota, relaxed);
  const unsigned count = UsableProcessors{mask.count(), quota}.count();
  known_processors.set_count(count);
  if (!global_icvs().workers_given) pool.set_workers(count);
  init_spin_limits();
  pool.neighbours.look_again();
  if (!moved) return;
  whereabouts.read_again();
  // Helpers take the new masks when they next have no work.
  pool.mask_changes.store(pool.mask_changes.load(relaxed) + 1, release);
}

}  // namespace

void look_at_processors(uint64_t now) {
  const uint64_t period = kPeriodUs * ticks_per_us();
  // In a signal handler the thread below may be looking.
  if (!detail::next_look_at_processors.renew(now, period) || !looking.try_lock()) return;
  const KeepErrno keep;
  const uint64_t begin = ticks();
  const CpuSet mask = look_at_masks();
  const unsigned quota = cgroup_quota();
  apply(mask, quota != kUnknownQuota ? quota : known_quota.load(relaxed));
  if (pool.helper_count.load(relaxed) > pool.most_helpers) end_surplus_helpers();
  detail::next_look_at_processors.extend(now, kLooks * (ticks() - begin));
  looking.unlock();
}

unsigned processors_now() {
  follow_processors(ticks());
  return known_processors.count();
}

unsigned quota_now() {
  follow_processors(ticks());
  return known_quota.load(relaxed);
}

void begin_to_follow_processors() {
  const GlobalIcvs& icvs = global_icvs();
  known_processors.set_mask(process_mask());
  known_quota.store(icvs.quota, relaxed);
  known_processors.set_count(icvs.processors);
  detail::next_look_at_processors.set(ticks(), kPeriodUs * ticks_per_us());
}

void go_on_following_in_child() {
  looking.free_in_child();
  known_processors.go_on_in_child();
}

}  // namespace bobbin
