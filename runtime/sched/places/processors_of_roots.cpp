// SPDX-License-Identifier: Apache-2.0
#include "sched/places/processors_of_roots.h"

#include "platform/processors/processors.h"
#include "sched/workers/pool_state.h"

namespace bobbin {

CpuSet processors_of_roots() {
  CpuSet all;
  pool.each([&](const Worker& worker) {
    if (worker.kind == WorkerKind::Root) all.unite(affinity_mask_of(worker.kernel_thread));
    return false;
  });
  if (!process_is_confined()) return all;
  CpuSet within = process_mask();
  within.intersect(all);
  return within.empty() ? all : within;
}

void take_processors_of_roots(Worker& worker) {
  worker.mask_changes = pool.mask_changes.load(acquire);
  worker.roots_met = pool.roots_met.load(acquire);
  const CpuSet all = processors_of_roots();
  worker.confined = !process_mask().within(all);
  if (!all.empty() && all != affinity_mask()) set_affinity_mask(all);
}

void take_processors_again(Worker& worker) {
  const bool changed = worker.mask_changes != pool.mask_changes.load(relaxed);
  const bool others = worker.confined && worker.roots_met != pool.roots_met.load(relaxed);
  if (worker.bound == nullptr && (changed || others)) take_processors_of_roots(worker);
}

}  // namespace bobbin
