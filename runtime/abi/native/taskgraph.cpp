// SPDX-License-Identifier: Apache-2.0
// taskgraph regions of translated programs.
#include "task/graph/taskgraph.h"
#include "abi/call_site.h"
#include "abi/export.h"
#include "bobbin/native.h"

using namespace bobbin;

BOBBIN_NATIVE_ENTRY int bobbin_omp_taskgraph_begin(void** graphs, unsigned long long id,
                                                   unsigned flags, void* surroundings) {
  BOBBIN_CALL_SITE;
  static_assert(sizeof(Atomic<Taskgraph*>) == sizeof(void*));
  TaskgraphClauses clauses;
  clauses.id = id;
  clauses.reset = (flags & bobbin_omp_graph_reset) != 0;
  clauses.enabled = (flags & bobbin_omp_graph_disabled) == 0;
  clauses.finds_copies = true;
  return taskgraph_begin(self(), *reinterpret_cast<Atomic<Taskgraph*>*>(graphs), clauses,
                         surroundings);
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_taskgraph_end() {
  BOBBIN_CALL_SITE;
  taskgraph_end(self(), taskgroup_end);
}
