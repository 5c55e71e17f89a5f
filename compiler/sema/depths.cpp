// SPDX-License-Identifier: Apache-2.0
#include "sema/depths.h"

#include <string>

namespace bobbin::translate {

void read_depths(const Program& program, std::vector<Directive>& directives,
                 Diagnostics& diagnostics) {
  for (Directive& directive : directives) {
    for (const Clause& clause : directive.clauses) {
      const bool collapses = clause.kind() == ClauseKind::Collapse;
      if (!collapses && (clause.kind() != ClauseKind::Ordered || !clause.expression)) continue;
      const auto known = program.constants.find(clause.expression->probe_begin);
      if (known == program.constants.end() || known->second <= 0) {
        diagnostics.error(clause.at, "the argument of '" + std::string(clause.row->name) +
                                         "' must be a positive constant");
        continue;
      }
      (collapses ? directive.collapse : directive.ordered) = static_cast<size_t>(known->second);
    }
  }
}

}  // namespace bobbin::translate
