// SPDX-License-Identifier: Apache-2.0
#include "lower/tasks/nowait.h"

namespace bobbin::translate {

std::string nowait_of(Translation& translation, const Directive& directive,
                      const Context& context) {
  const Clause* clause = directive.find(ClauseKind::Nowait);
  if (clause == nullptr) return "0";
  return clause->expression ? "(" + translation.expression_of(*clause, context) + ") != 0" : "1";
}

std::string wait_by_argument(Translation& translation, const Construct& construct,
                             const Context& context, const std::string& text) {
  const Clause* clause = construct.directive.find(ClauseKind::Nowait);
  if (clause == nullptr || !clause->expression) return text;
  const std::string nowait = translation.names.free("nowait");
  return "{\nconst int " + nowait + " = " + nowait_of(translation, construct.directive, context) +
         ";\n" + text + "\nif (!" + nowait + ") {\n" +
         barrier(context, "bobbin_omp_workshare_barrier") + "\n}\n}";
}

}  // namespace bobbin::translate
