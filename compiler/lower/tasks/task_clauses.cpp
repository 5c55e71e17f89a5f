// SPDX-License-Identifier: Apache-2.0
#include "lower/tasks/task_clauses.h"

namespace bobbin::translate {

std::string begin_transparent(Translation& translation, const Directive& directive,
                              const Context& context) {
  const Clause* clause = directive.find(ClauseKind::Transparent);
  if (clause == nullptr) return "";
  if (!directive.has(ClauseKind::Depend) && !directive.has(ClauseKind::If)) {
    throw Refusal{clause->at, "'transparent' without 'depend' or 'if' is not supported"};
  }
  std::string impex = "bobbin_omp_impex";
  if (clause->expression) impex = translation.expression_of(*clause, context);
  if (!clause->word.empty()) impex = "bobbin_" + clause->word;
  return "bobbin_omp_transparent(" + impex + ");\n";
}

std::string end_transparent(const Directive& directive) {
  if (!directive.has(ClauseKind::Transparent) || directive.has(ClauseKind::Depend)) return "";
  return "bobbin_omp_transparent(bobbin_omp_not_impex);\n";
}

bool is_for_pool(const Directive& directive) {
  const Clause* clause = directive.find(ClauseKind::Threadset);
  if (clause == nullptr || clause->word == "omp_team") return false;
  if (clause->word == "omp_pool") return true;
  throw Refusal{clause->at, "expected 'omp_pool' or 'omp_team' in 'threadset'"};
}

}  // namespace bobbin::translate
