// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "lower/data/captures.h"
#include "lower/data/closure.h"
#include "lower/translation/constructs.h"

namespace bobbin::translate {
namespace {

// Only constructs that make tasks may be encountered in the region (OpenMP 6.0, section 14.3). What
// those tasks contain is their own business.
void check_statement(Translation& translation, const Construct& construct) {
  size_t inner_end = 0;
  for (const size_t number : translation.directives_in(construct.site->statement)) {
    const Directive& one = translation.directives[number];
    if (one.probe_begin < inner_end || one.row->association == Association::Declaration) continue;
    const auto refuse = [&](const std::string& what) {
      translation.refuse(one, "'" + std::string(one.row->name) + "' " + what);
    };
    switch (one.row->leaves.front()) {
      case Leaf::Task:
        if (one.has(ClauseKind::Detach)) refuse("in a taskgraph region cannot have 'detach'");
        if (one.has(ClauseKind::Transparent)) {
          refuse("in a taskgraph region cannot have 'transparent'");
        }
        break;
      case Leaf::Taskloop:
        if (one.has(ClauseKind::Reduction)) {
          refuse(
              "with 'reduction' waits for its tasks, so it cannot be in a taskgraph region; "
              "'in_reduction' of a taskgroup around the region is possible");
        }
        if (!one.has(ClauseKind::Nogroup)) refuse("in a taskgraph region needs 'nogroup'");
        break;
      case Leaf::Target:
      case Leaf::TargetUpdate:
      case Leaf::Taskwait:
        if (!one.has(ClauseKind::Nowait) || one.find(ClauseKind::Nowait)->expression)
          refuse("without 'nowait' cannot be in a taskgraph region");
        break;
      case Leaf::Assume:
      case Leaf::Error:
        continue;
      default:
        refuse("makes no task, so it cannot be in a taskgraph region");
    }
    inner_end = translation.extent_of(number).end;
  }
}

}  // namespace

std::string lower_taskgraph(Translation& translation, const Construct& construct,
                            const Context& context) {
  check_statement(translation, construct);
  const Directive& directive = construct.directive;
  Closure closure(translation, construct, context, "taskgraph", Closure::Owner::Team);
  GraphScope scope{"struct " + closure.name() + "_data", {}};
  for (const Variable* variable : captured_by(translation, construct, context)) {
    if (variable->is_global && !context.places.contains(variable)) continue;
    closure.share(*variable);
    scope.variables.insert(variable);
  }
  closure.context().graph = &scope;
  closure.write_structure();
  const std::string graphs = closure.name() + "_graphs";
  translation.before_function("static void *" + graphs + ";\n\n");
  closure.write(translation.body(construct, closure.context()));

  const auto expression = [&](ClauseKind kind) {
    const Clause* clause = directive.find(kind);
    return clause != nullptr ? translation.expression_of(*clause, context) : "";
  };
  const std::string id = expression(ClauseKind::GraphId);
  std::string flags;
  if (directive.has(ClauseKind::GraphReset)) {
    const std::string reset = expression(ClauseKind::GraphReset);
    flags =
        reset.empty() ? "bobbin_omp_graph_reset" : "((" + reset + ") ? bobbin_omp_graph_reset : 0)";
  }
  if (directive.has(ClauseKind::If)) {
    flags += (flags.empty() ? "((" : " | ((") + expression(ClauseKind::If) +
             ") ? 0 : bobbin_omp_graph_disabled)";
  }
  return "{\n" + closure.arguments() + translation.marker(directive) +
         "if (bobbin_omp_taskgraph_begin(&" + graphs + ", " +
         (id.empty() ? "0" : "(unsigned long long)(" + id + ")") + ", " +
         (flags.empty() ? "0" : flags) + ", " + closure.argument() + ")) " + closure.name() + "(" +
         closure.argument() + ");\nbobbin_omp_taskgraph_end();\n}";
}

}  // namespace bobbin::translate
