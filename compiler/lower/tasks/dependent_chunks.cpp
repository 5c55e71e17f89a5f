// SPDX-License-Identifier: Apache-2.0
#include "lower/tasks/dependent_chunks.h"

#include "lower/tasks/dependences.h"

namespace bobbin::translate {
namespace {

// Statements that add to `list` what the iterations [first, last) depend on.
std::string add_dependences_of(Translation& translation,
                               const std::vector<const Directive*>& directives,
                               const Iterations& iterations, const Context& context,
                               const std::string& list, const std::string& first,
                               const std::string& last) {
  Context inside = context;
  std::string declarations;
  for (const CanonicalLoop& loop : iterations.loops()) {
    inside.make_private(loop.variable());
    declarations += iterations.declaration(loop);
  }
  std::string body;
  for (const Directive* one : directives) {
    const std::string added = add_dependences(translation, *one, inside, list);
    if (added.empty()) continue;
    const Clause* condition = one->find(ClauseKind::If);
    body += translation.marker(*one);
    body += condition != nullptr
                ? "if (" + translation.expression_of(*condition, inside) + ") {\n" + added + "}\n"
                : added;
  }
  Iterations plain = iterations;
  plain.vectorize("");
  return "{\n" + declarations + plain.execute(first, last, " {\n" + body + "}\n", inside) + "}\n";
}

}  // namespace

std::string make_dependent_chunks(Translation& translation,
                                  const std::vector<const Directive*>& directives,
                                  const Iterations& iterations, const Closure& closure,
                                  const Context& context, const LoopClauses& clauses,
                                  const std::function<std::string(const TaskCall&)>& make_tasks) {
  const Names& names = translation.names;
  const std::string flags = names.free("flags");
  const std::string priority = names.free("task_priority");
  const std::string length = names.free("length");
  const std::string list = names.free("dependences");
  const std::string chunk = names.free("chunk");
  const std::string range = names.free("range");
  const std::string copy = names.free("chunk_args");
  const std::string described = names.free("clauses");
  const size_t comma = clauses.division.find(", ");
  const std::string division = clauses.division.substr(0, comma);
  return "const unsigned " + flags + " = " + clauses.flags + ";\nconst int " + priority + " = " +
         clauses.priority + ";\nconst unsigned long long " + length + " = " +
         clauses.division.substr(comma + 2) + ";\nstruct bobbin_omp_dependence_list " + list +
         " = {0};\nunsigned long long " + range + "[2];\nfor (unsigned long long " + chunk +
         " = 0; bobbin_omp_taskloop_chunk(" + iterations.count() + ", " + flags + ", " + division +
         ", " + length + ", " + chunk + ", " + range + "); ++" + chunk + ") {\n" +
         closure.copy_of_arguments(copy) + "__builtin_memcpy(" + closure.copy_argument(copy) +
         ", " + range + ", sizeof " + range + ");\n" + list + ".count = 0;\n" +
         add_dependences_of(translation, directives, iterations, context, list, range + "[0]",
                            range + "[1]") +
         "const struct bobbin_omp_task_clauses " + described + " = {.flags = " + flags +
         ", .priority = " + priority + ", .dependences = " + list + ".count, .depend = " + list +
         ".count != 0 ? " + list + ".items : 0};\n" +
         make_tasks({"bobbin_omp_task_with", "bobbin_omp_replayable_task",
                     closure.name() + ", " + closure.copy_argument(copy) + ", " +
                         closure.size_and_alignment() + ", &" + described}) +
         "}\nbobbin_omp_dependence_list_free(&" + list + ");\n";
}

}  // namespace bobbin::translate
