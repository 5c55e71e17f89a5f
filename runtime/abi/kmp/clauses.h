// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "construct/regions/error_directive.h"
#include "construct/regions/parallel.h"

namespace bobbin::kmp {

// 0, or a value that is no number of threads or teams, means: not given.
inline unsigned as_clause(int32_t count) { return count > 0 ? static_cast<unsigned>(count) : 0; }

// 1: warning, 2: fatal.
inline Severity decode_severity(int32_t severity) {
  return severity == 1 ? Severity::Warning : Severity::Fatal;
}

// Clauses that the program passes before the parallel construct to which they belong, by calls of
// their own. They belong to the calling thread; its next region takes them, whatever region that
// is.
struct PushedClauses : ParallelClauses {
  bool has_list = false;  // num_threads with more than one number
  bool strict = false;    // num_threads(strict: ...)
  Severity severity = Severity::Fatal;
  const char* message = nullptr;
};

PushedClauses take_clauses();

// Applies the clauses that concern the assembled team.
void apply_clauses(const PushedClauses& clauses, Team& team);

}  // namespace bobbin::kmp
