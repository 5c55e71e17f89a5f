// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "construct/parallel.h"

namespace bobbin::kmp {

// Clauses that the program hands over ahead of the parallel construct that they belong to, by calls
// of their own. The calling thread's; taken by its next region, whatever that is.
ParallelClauses& pushed_clauses();

inline ParallelClauses take_clauses() {
  ParallelClauses& pushed = pushed_clauses();
  ParallelClauses taken = pushed;
  pushed = ParallelClauses{};
  return taken;
}

}  // namespace bobbin::kmp
