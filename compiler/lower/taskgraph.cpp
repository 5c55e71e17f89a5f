// SPDX-License-Identifier: Apache-2.0
// taskgraph, and what makes the tasks of its region replayable.
#include <set>

#include "lower/captures.h"
#include "lower/closure.h"
#include "lower/constructs.h"
#include "lower/replayable.h"

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
        if (!one.has(ClauseKind::Nogroup)) refuse("in a taskgraph region needs 'nogroup'");
        break;
      case Leaf::Taskwait:
        if (!one.has(ClauseKind::Nowait))
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
    if (variable->is_global && !context.texts.contains(variable)) continue;
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

std::string replayable_if(Translation& translation, const Directive& directive,
                          const Context& context) {
  const Clause* clause = directive.find(ClauseKind::Replayable);
  if (clause == nullptr) return context.graph != nullptr ? "1" : "";
  if (!clause->expression) return "1";
  const std::string condition = translation.expression_of(*clause, context);
  return condition == "0" || condition == "false" ? "" : condition;
}

std::string write_relocation(Translation& translation, const Directive& directive,
                             const Closure& closure, const Context& context) {
  if (context.graph == nullptr || closure.pointers().empty()) return "0";
  const std::string data = translation.names.free("data");
  const std::string surroundings = translation.names.free("surroundings");
  std::string copies;
  const auto copy = [&](const std::string& member) {
    copies += "  " + data + "->" + member + " = " + surroundings + "->" + member + ";\n";
  };
  for (const Closure::Pointer& pointer : closure.pointers()) {
    const std::string& name = pointer.variable->name;
    if (!context.graph->variables.contains(pointer.variable)) {
      translation.refuse(directive, "'" + name +
                                        "' is declared in the taskgraph region, so a task that is "
                                        "replayed cannot share it");
    }
    copy(name);
    for (size_t i = 1; i <= pointer.lengths; ++i) copy(closure.length_member(name, i));
  }
  const std::string function = closure.name() + "_relocate";
  const std::string to = translation.names.free("to");
  const std::string from = translation.names.free("from");
  translation.before_function("static void " + function + "(void *" + to + ", void *" + from +
                              ") {\n  struct " + closure.name() + "_data *" + data + " = " + to +
                              ";\n  " + context.graph->surroundings + " *" + surroundings + " = " +
                              from + ";\n" + copies + "}\n\n");
  return function;
}

}  // namespace bobbin::translate
