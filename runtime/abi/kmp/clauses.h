// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "construct/error_directive.h"
#include "construct/parallel.h"

namespace bobbin::kmp {

// 0, or what is no number of threads or teams: not given.
inline unsigned as_clause(int32_t count) { return count > 0 ? static_cast<unsigned>(count) : 0; }

// 1: warning, 2: fatal.
inline Severity decode_severity(int32_t severity) {
  return severity == 1 ? Severity::Warning : Severity::Fatal;
}

// Clauses that the program hands over ahead of the parallel construct that they belong to, by calls
// of their own. The calling thread's; taken by its next region, whatever that is.
struct PushedClauses : ParallelClauses {
  bool has_list = false;  // num_threads with more than one number
  bool strict = false;    // num_threads(strict: ...)
  Severity severity = Severity::Fatal;
  const char* message = nullptr;
};

PushedClauses take_clauses();

// What they ask of the team that has been assembled.
void apply_clauses(const PushedClauses& clauses, Team& team);

}  // namespace bobbin::kmp
