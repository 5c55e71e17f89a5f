// SPDX-License-Identifier: Apache-2.0
#include "sched/roots/sharing_roots.h"

#include "platform/clocks/clock.h"
#include "sched/workers/pool_state.h"

namespace bobbin {
namespace {

constexpr uint64_t kLeastMs = 50;
constexpr uint64_t kMostMs = 1000;
constexpr uint64_t kFreshMs = 1;

// How often a root has begun to count or ended. Written after the change itself.
constinit Atomic<uint32_t> changes{0};

unsigned others_that_count(const Worker& self, uint64_t now) {
  unsigned roots = 0;
  pool.each([&](const Worker& worker) {
    if (worker.kind == WorkerKind::Root && &worker != &self &&
        (worker.sharing.counts.ahead(now) || worker.active.load(relaxed))) {
      roots++;
    }
    return false;
  });
  return roots;
}

}  // namespace

uint64_t sharing_span(uint64_t before, uint64_t now, uint64_t ticks_per_ms) {
  const uint64_t apart = before != 0 && now > before ? now - before : 0;
  if (apart >= kMostMs / 2 * ticks_per_ms) return kMostMs * ticks_per_ms;
  return apart > kLeastMs / 2 * ticks_per_ms ? 2 * apart : kLeastMs * ticks_per_ms;
}

unsigned count_sharing_roots(Worker& root) {
  SharingRoot& own = root.sharing;
  const uint64_t now = ticks();
  const uint64_t ticks_per_ms = 1000 * ticks_per_us();
  const bool counted = own.counts.ahead(now);
  own.counts.set(now, sharing_span(own.step, now, ticks_per_ms));
  own.step = now;
  if (!counted) changes.fetch_add(1, acq_rel);
  const uint32_t change = changes.load(acquire);
  if (own.change != change || !own.fresh.ahead(now)) {
    own.change = change;
    own.fresh.set(now, kFreshMs * ticks_per_ms);
    own.others = others_that_count(root, now);
  }
  return own.others + 1;
}

void stop_sharing(Worker& root) {
  SharingRoot& own = root.sharing;
  if (own.step == 0) return;
  own.counts.clear();
  own.step = 0;
  own.told = 0;
  changes.fetch_add(1, acq_rel);
}

}  // namespace bobbin
