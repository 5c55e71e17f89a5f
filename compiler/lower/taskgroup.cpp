// SPDX-License-Identifier: Apache-2.0
// taskgroup and taskwait.
#include "lower/constructs.h"
#include "lower/dependences.h"
#include "lower/reduction.h"
#include "lower/resumable.h"
#include "lower/task_schedule.h"

namespace bobbin::translate {

std::string lower_taskwait(Translation& translation, const Construct& construct,
                           const Context& context) {
  const std::string wait = wait_for_dependences(translation, construct.directive, context,
                                                construct.directive.has(ClauseKind::Nowait));
  if (!wait.empty()) return "{\n" + wait + "}";
  ResumableScope* scope = context.resumable;
  if (scope == nullptr) return "bobbin_omp_inlined_taskwait();";
  return "{\n" + scope->leave("bobbin_omp_inlined_resumable_taskwait(" + scope->frame() + ")") +
         "}";
}

std::string lower_taskgroup(Translation& translation, const Construct& construct,
                            const Context& context) {
  const std::vector<ReductionItem> items =
      reduction_items(translation, construct.directive, context, ClauseKind::TaskReduction);
  const std::string marker = translation.marker(construct.directive);
  const std::string schedule = begin_task_schedule(translation, construct.directive, context);
  const std::string body = translation.body(construct, context);
  if (items.empty()) {
    return "{\n" + marker + "bobbin_omp_inlined_taskgroup_begin();\n" + schedule + body +
           "bobbin_omp_inlined_taskgroup_end();\n}";
  }
  const std::string name = translation.names.free("reductions");
  return "{\n" + describe_originals(construct.directive, items, name) + marker +
         "bobbin_omp_taskgroup_begin();\n" + schedule + "bobbin_omp_task_reductions(" + name +
         ", " + std::to_string(items.size()) + ");\n" + body + "bobbin_omp_taskgroup_end();\n}";
}

}  // namespace bobbin::translate
