// SPDX-License-Identifier: Apache-2.0
#include "sched/processors_of_roots.h"

#include "platform/processors.h"
#include "sched/pool_state.h"

namespace bobbin {
namespace {

bool is_whole(const CpuSet& set) { return process_mask().within(set); }

CpuSet processors_of_roots() {
  CpuSet all;
  pool.each([&](const Worker& worker) {
    if (worker.kind == WorkerKind::Root) all.unite(affinity_mask_of(worker.kernel_thread));
    return is_whole(all);
  });
  return all;
}

}  // namespace

void take_processors_of_roots(Worker& worker) {
  worker.roots_met = pool.roots_met.load(acquire);
  const CpuSet all = processors_of_roots();
  worker.confined = !is_whole(all);
  if (!all.empty() && all != affinity_mask()) set_affinity_mask(all);
}

void take_processors_of_new_roots(Worker& worker) {
  if (worker.confined && worker.roots_met != pool.roots_met.load(relaxed)) {
    take_processors_of_roots(worker);
  }
}

}  // namespace bobbin
