// SPDX-License-Identifier: Apache-2.0
// taskgroup and taskwait.
#include "lower/data/reduction.h"
#include "lower/tasks/dependences.h"
#include "lower/tasks/nowait.h"
#include "lower/tasks/replayable.h"
#include "lower/tasks/task_schedule.h"
#include "lower/translation/constructs.h"

namespace bobbin::translate {

namespace {

// With nowait an empty task waits, which the runtime records in a taskgraph region. The clause
// replayable may forbid that: then the task is one like others. Empty: it does not.
std::string make_unrecorded(Translation& translation, const Directive& directive,
                            const Context& context) {
  if (!directive.has(ClauseKind::Replayable) || !directive.has(ClauseKind::Nowait)) return "";
  if (directive.find(ClauseKind::Nowait)->expression) {
    translation.refuse(directive, "'replayable' beside 'nowait' with an argument is not supported");
  }
  const std::string condition = replayable_if(translation, directive, context);
  const Names& names = translation.names;
  const std::string depend = names.free("dependences");
  const Dependences dependences = dependences_of(translation, directive, context, depend);
  if (condition == "1" || dependences.declaration.empty()) return "";
  const std::string task = translation.name_for(directive, context, "taskwait");
  const std::string argument = names.free("argument");
  const std::string clauses = names.free("clauses");
  translation.before_function("static void " + task + "(void *" + argument + ") { (void)" +
                              argument + "; }\n\n");
  const std::string recorded = condition.empty()
                                   ? ""
                                   : "if (" + condition + ") bobbin_omp_taskwait_depend(" + depend +
                                         ", " + dependences.number + ", 1);\nelse ";
  return "{\n" + dependences.declaration + "  const struct bobbin_omp_task_clauses " + clauses +
         " = {.dependences = " + dependences.number + ", .depend = " + depend + "};\n" +
         translation.marker(directive) + recorded + "bobbin_omp_task_with(" + task +
         ", (void *)0, 0, 1, &" + clauses + ");\n}";
}

}  // namespace

std::string lower_taskwait(Translation& translation, const Construct& construct,
                           const Context& context) {
  const Directive& directive = construct.directive;
  std::string unrecorded = make_unrecorded(translation, directive, context);
  if (!unrecorded.empty()) return unrecorded;
  const std::string wait = wait_for_dependences(translation, directive, context,
                                                nowait_of(translation, directive, context));
  return wait.empty() ? "bobbin_omp_inlined_taskwait();" : "{\n" + wait + "}";
}

std::string lower_taskgroup(Translation& translation, const Construct& construct,
                            const Context& context) {
  std::vector<ReductionItem> items =
      reduction_items(translation, construct.directive, context, ClauseKind::TaskReduction);
  const std::string marker = translation.marker(construct.directive);
  const std::string schedule = begin_task_schedule(translation, construct.directive, context);
  const std::string body = translation.body(construct, context);
  if (items.empty()) {
    return "{\n" + marker + "bobbin_omp_inlined_taskgroup_begin();\n" + schedule + body +
           "bobbin_omp_inlined_taskgroup_end();\n}";
  }
  std::string constants;
  const Allocations allocations(translation, construct.directive, context, constants);
  for (ReductionItem& item : items) item.allocate(allocations.find(item.variable()));
  const TaskReductions reductions = task_reductions(translation, construct.directive, items);
  return "{\n" + constants + reductions.declarations + marker + "bobbin_omp_taskgroup_begin();\n" +
         schedule + reductions.begin + body + "bobbin_omp_taskgroup_end();\n}";
}

}  // namespace bobbin::translate
