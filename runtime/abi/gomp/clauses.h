// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "construct/regions/parallel.h"

namespace bobbin {

// num_threads: 0 if there is no clause, 1 also if the if clause is false. flags: bits 0 to 2 are
// the proc_bind clause as omp_proc_bind_t.
inline ParallelClauses decode_parallel(unsigned num_threads, unsigned flags) {
  ParallelClauses clauses;
  clauses.num_threads = num_threads;
  clauses.bind = static_cast<ProcBind>(flags & 7);
  clauses.has_bind = (flags & 7) != 0;
  return clauses;
}

}  // namespace bobbin
