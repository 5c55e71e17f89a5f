// SPDX-License-Identifier: Apache-2.0
#include "construct/reductions/reduction.h"

#include "abi/export.h"
#include "abi/gomp/clauses.h"
#include "construct/reductions/in_reduction.h"

using namespace bobbin;

BOBBIN_ENTRY void GOMP_taskgroup_reduction_register(uintptr_t* data) {
  register_reductions(self(), data);
}

BOBBIN_ENTRY void GOMP_taskgroup_reduction_unregister(uintptr_t* data) {
  unregister_reductions(data);
}

BOBBIN_ENTRY void GOMP_task_reduction_remap(size_t count, size_t with_original, void** items) {
  remap_reductions(self(), count, with_original, items);
}

BOBBIN_ENTRY void GOMP_workshare_task_reduction_unregister(bool cancelled) {
  end_share_reductions(self(), cancelled);
}

// The descriptor lies at the beginning of the region's data. The program combines the copies
// itself, and needs to know how many there are.
BOBBIN_ENTRY unsigned GOMP_parallel_reductions(void (*function)(void*), void* data,
                                               unsigned num_threads, unsigned flags) {
  auto* reductions = *static_cast<uintptr_t**>(data);
  Taskgroup group;
  group.internal = true;
  return parallel_with(function, data, decode_parallel(num_threads, flags), [&](Team& team) {
    register_region_reductions(group, reductions, team.size);
    team.region_group = &group;
  });
}
