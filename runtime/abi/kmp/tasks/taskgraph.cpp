// SPDX-License-Identifier: Apache-2.0
// Regions whose tasks are recorded at the first execution and replayed later: the experimental
// entry points of libomp, from 17 on. No released compiler calls them.
//
// As in libomp a replayed task has the private variables that it was recorded with, and the
// addresses of its shared variables: those must still be there. A region with tasks whose private
// copies are not trivial to copy is executed each time, because there is no function to make the
// copies again. (The entry points that replace these in LLVM's sources pass functions for both.)
#include "task/graph/taskgraph.h"
#include "abi/export.h"
#include "abi/kmp/ident.h"
#include "construct/reductions/task_reduction.h"

using namespace bobbin;
using namespace bobbin::kmp;

namespace {

constexpr uint32_t kRecordAgain = 2;  // graph_reset

Atomic<Taskgraph*> graphs;

}  // namespace

// 1: the program executes the region. `flags` may also have nowait, 1: the region's tasks complete
// at its end all the same.
BOBBIN_ENTRY int32_t __kmpc_start_record_task(const Ident*, int32_t, int32_t flags, int32_t graph) {
  TaskgraphClauses clauses;
  clauses.id = static_cast<uint32_t>(graph);
  clauses.reset = (static_cast<uint32_t>(flags) & kRecordAgain) != 0;
  return taskgraph_begin(self(), graphs, clauses, nullptr) ? 1 : 0;
}

BOBBIN_ENTRY void __kmpc_end_record_task(const Ident*, int32_t, int32_t /*flags*/,
                                         int32_t /*graph*/) {
  taskgraph_end(self(), end_reducing_taskgroup);
}
