// SPDX-License-Identifier: Apache-2.0
// scope, single, masked, critical, ordered, barriers, flush and cancellation.
#include "lower/data/privates.h"
#include "lower/translation/constructs.h"

namespace bobbin::translate {
namespace {

// The pointers to the variables that a single region gives to all threads, and the function that
// copies.
struct Copyprivate {
  std::string declaration;  // of `args`
  std::string call;
};

Copyprivate copyprivate(Translation& translation, const Construct& construct,
                        const Context& context, const std::string& executes) {
  const std::vector<const Variable*> variables =
      translation.variables_of(construct.directive, ClauseKind::Copyprivate);
  const Types& types = translation.types;
  const std::string name = translation.name_for(construct.directive, context, "copy");
  const Names& names = translation.names;
  const std::string to = names.free("to");
  const std::string from = names.free("from");
  const std::string args = names.free("args");
  std::string members;
  std::string copies;
  std::string initializers;
  for (const Variable* variable : variables) {
    if (!types.unnameable(variable->type).empty() || types.is_variable(variable->type)) {
      translation.refuse(construct.directive,
                         "the type of '" + variable->name + "' in 'copyprivate' is not supported");
    }
    const std::string& member = variable->name;
    members += "  " + types.declare_pointer(variable->type, member) + ";\n";
    initializers +=
        (initializers.empty() ? "." : ", .") + member + " = " + context.address_of(*variable);
    if (types.is_array(variable->type)) {
      copies += "  __builtin_memcpy(" + to + "->" + member + ", " + from + "->" + member +
                ", sizeof *" + to + "->" + member + ");\n";
    } else {
      copies += "  *" + to + "->" + member + " = *" + from + "->" + member + ";\n";
    }
  }
  const std::string type = "struct " + name + "_data";
  const std::string to_data = names.free("to_data");
  const std::string from_data = names.free("from_data");
  translation.before_function(type + " {\n" + members + "};\n\nstatic void " + name + "(void *" +
                              to_data + ", void *" + from_data + ") {\n  " + type + " *" + to +
                              " = " + to_data + ";\n  " + type + " *" + from + " = " + from_data +
                              ";\n" + copies + "}\n\n");
  return {"  " + type + " " + args + " = {" + initializers + "};\n",
          "bobbin_omp_copyprivate(&" + args + ", " + name + ", " + executes + ");\n"};
}

}  // namespace

std::string barrier(const Context& context, const char* kind) {
  if (context.parallel == nullptr) return "bobbin_omp_barrier(" + std::string(kind) + ");";
  return "if (bobbin_omp_cancellable_barrier(" + std::string(kind) + ")) " +
         context.parallel->jump();
}

std::string lower_single(Translation& translation, const Construct& construct,
                         const Context& context) {
  Privates privates(translation, construct, context);
  const std::string body = privates.declarations().empty()
                               ? translation.block_content(construct, privates.context())
                               : translation.body(construct, privates.context());
  const std::string region =
      "{\n" + privates.declarations() + body + "bobbin_omp_single_end();\n}\n";
  const std::string marker = translation.marker(construct.directive);
  if (construct.directive.has(ClauseKind::Copyprivate)) {
    const std::string executes = translation.names.free("executes");
    const Copyprivate copy = copyprivate(translation, construct, context, executes);
    return "{\n" + privates.originals() + copy.declaration + marker + "const int " + executes +
           " = bobbin_omp_single_begin();\nif (" + executes + ") " + region + copy.call + "}";
  }
  const bool waits = !construct.directive.has(ClauseKind::Nowait);
  const std::string text = privates.originals() + marker + "if (bobbin_omp_single_begin()) " +
                           region +
                           (waits ? barrier(context, "bobbin_omp_workshare_barrier") + "\n" : "");
  return privates.originals().empty() ? translation.enclosed(construct, text) : "{\n" + text + "}";
}

std::string lower_scope(Translation& translation, const Construct& construct,
                        const Context& context) {
  Privates privates(translation, construct, context);
  const std::string body = translation.body(construct, privates.context());
  const bool waits = !construct.directive.has(ClauseKind::Nowait);
  return "{\n" + privates.originals() + privates.declarations() + body +
         privates.combine_reductions() +
         (waits ? barrier(context, "bobbin_omp_workshare_barrier") + "\n" : "") + "}";
}

std::string lower_masked(Translation& translation, const Construct& construct,
                         const Context& context) {
  const Clause* filter = construct.directive.find(ClauseKind::Filter);
  const std::string thread = filter != nullptr && filter->expression
                                 ? translation.render_span(*filter->expression, context)
                                 : "0";
  return translation.enclosed(construct, "if (bobbin_omp_masked_begin(" + thread + ")) {\n" +
                                             translation.block_content(construct, context) +
                                             "\nbobbin_omp_masked_end();\n}\n");
}

std::string lower_critical(Translation& translation, const Construct& construct,
                           const Context& context) {
  const std::string& name = construct.directive.name;
  std::string lock = "0";
  if (!name.empty()) {
    std::string& variable = translation.locks[name];
    if (variable.empty()) {
      variable = translation.names.unique("critical_" + name);
      // GCC's name, so that its object files have the same lock.
      translation.before_function("void *" + variable + " __asm__(\".gomp_critical_user_" + name +
                                  "\") __attribute__((common));\n\n");
    }
    lock = "&" + variable;
  }
  return translation.enclosed(construct, translation.marker(construct.directive) +
                                             "bobbin_omp_critical_begin(" + lock + ");\n" +
                                             translation.body(construct, context) +
                                             "bobbin_omp_critical_end(" + lock + ");\n");
}

std::string lower_ordered(Translation& translation, const Construct& construct,
                          const Context& context) {
  const bool is_simd = construct.directive.has(ClauseKind::Simd);
  std::string body = translation.body(construct, context);
  if (is_simd) body = "#pragma omp ordered simd\n{\n" + body + "}\n";
  if (is_simd && !construct.directive.has(ClauseKind::Threads)) return "{\n" + body + "}";
  return "{\n" + translation.marker(construct.directive) + "bobbin_omp_ordered_begin();\n" + body +
         "bobbin_omp_ordered_end();\n}";
}

std::string lower_flush(const Construct& construct) {
  const Directive& directive = construct.directive;
  const char* order = "bobbin_omp_seq_cst";
  if (directive.has(ClauseKind::AcqRel)) order = "bobbin_omp_acq_rel";
  if (directive.has(ClauseKind::Acquire)) order = "bobbin_omp_acquire";
  if (directive.has(ClauseKind::Release)) order = "bobbin_omp_release";
  return "__atomic_thread_fence(" + std::string(order) + ");";
}

std::string lower_cancel(Translation& translation, const Construct& construct,
                         const Context& context) {
  const Directive& directive = construct.directive;
  CancelTarget* target = context.taskgroup;
  const char* region = "bobbin_omp_cancel_taskgroup";
  switch (directive.row->leaves.back()) {
    case Leaf::CancelParallel:
      target = context.parallel;
      region = "bobbin_omp_cancel_parallel";
      break;
    case Leaf::CancelFor:
      target = context.loop;
      region = "bobbin_omp_cancel_for";
      break;
    case Leaf::CancelSections:
      target = context.sections;
      region = "bobbin_omp_cancel_sections";
      break;
    default:
      break;
  }
  if (target == nullptr) {
    translation.refuse(directive, "'" + std::string(directive.row->name) +
                                      "' is not closely nested in the construct that it names");
  }
  if (directive.row->leaves.front() == Leaf::CancellationPoint) {
    return "if (bobbin_omp_cancellation_point(" + std::string(region) + ")) " + target->jump();
  }
  std::string condition = "1";
  if (const Clause* clause = directive.find(ClauseKind::If)) {
    condition = "(" + translation.render_span(*clause->expression, context) + ") != 0";
  }
  return "if (bobbin_omp_cancel(" + std::string(region) + ", " + condition + ")) " + target->jump();
}

}  // namespace bobbin::translate
