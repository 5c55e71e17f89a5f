// SPDX-License-Identifier: Apache-2.0
#include "lower/tasks/replayable.h"

namespace bobbin::translate {
namespace {

// The assignments of which a task's relocation function consists.
class Relocation {
 public:
  Relocation(Translation& translation, const Directive& directive, const Context& context)
      : translation_(translation),
        directive_(directive),
        context_(context),
        data_(translation.names.free("data")),
        surroundings_(translation.names.free("surroundings")) {}

  void add(const Closure& closure, const Closure::Pointer& pointer) {
    const Variable& variable = *pointer.variable;
    if (is_at_file_scope(variable)) return;
    // There is one of each, in the region, too.
    if (variable.is_static && !is_around(variable)) return;
    check(variable);
    copy(variable.name);
    for (size_t i = 1; i <= pointer.lengths; ++i) copy(closure.length_member(variable.name, i));
  }

  void add(const RelocatedSection& section) {
    text_ += "  " + data_ + "->" + section.first + " = (void *)((char *)" +
             begin_of(*section.variable) + " + " + data_ + "->" + section.offset + ");\n";
  }

  bool is_empty() const { return text_.empty(); }

  std::string write(const std::string& of) const {
    const std::string function = of + "_relocate";
    const std::string to = translation_.names.free("to");
    const std::string from = translation_.names.free("from");
    const bool is_used = text_.find(surroundings_ + "->") != std::string::npos;
    translation_.before_function(
        "static void " + function + "(void *" + to + ", void *" + from + ") {\n  struct " + of +
        "_data *" + data_ + " = " + to + ";\n  " + context_.graph->surroundings + " *" +
        surroundings_ + " = " + from + ";\n" + (is_used ? "" : "  (void)" + surroundings_ + ";\n") +
        text_ + "}\n\n");
    return function;
  }

 private:
  bool is_at_file_scope(const Variable& variable) const { return !context_.is_local(variable); }
  bool is_around(const Variable& variable) const {
    return context_.graph->variables.contains(&variable);
  }
  void check(const Variable& variable) const {
    if (is_around(variable)) return;
    translation_.refuse(directive_, "'" + variable.name +
                                        "' is declared in the taskgraph region, so a task that is "
                                        "replayed cannot share it");
  }
  void copy(const std::string& member) {
    text_ += "  " + data_ + "->" + member + " = " + surroundings_ + "->" + member + ";\n";
  }

  // Where the array begins.
  std::string begin_of(const Variable& variable) const {
    if (is_at_file_scope(variable)) return variable.name;
    check(variable);
    std::string member = surroundings_ + "->" + variable.name;
    if (translation_.types.is_array(variable.type)) return member;
    return (translation_.types.is_variable(variable.type) ? "*(void **)" : "*") + member;
  }

  Translation& translation_;
  const Directive& directive_;
  const Context& context_;
  std::string data_;
  std::string surroundings_;
  std::string text_;
};

// Writes the function that sets the addresses anew. Returns its name, or "0" if there is nothing to
// set.
std::string write_relocation(Translation& translation, const Directive& directive,
                             const Closure& closure, const std::vector<RelocatedSection>& sections,
                             const Context& context) {
  if (context.graph == nullptr) return "0";
  Relocation relocation(translation, directive, context);
  for (const Closure::Pointer& pointer : closure.pointers()) relocation.add(closure, pointer);
  for (const RelocatedSection& section : sections) relocation.add(section);
  return relocation.is_empty() ? "0" : relocation.write(closure.name());
}

}  // namespace

std::string replayable_if(Translation& translation, const Directive& directive,
                          const Context& context) {
  const Clause* clause = directive.find(ClauseKind::Replayable);
  if (clause == nullptr) return context.graph != nullptr ? "1" : "";
  if (!clause->expression) return "1";
  const std::string condition = translation.expression_of(*clause, context);
  return condition == "0" || condition == "false" ? "" : condition;
}

std::string make_tasks(Translation& translation, const Directive& directive, const Closure& closure,
                       const std::vector<RelocatedSection>& sections, const Context& context,
                       const TaskCall& call) {
  std::string plain = call.function + "(" + call.arguments + ");\n";
  const std::string condition = replayable_if(translation, directive, context);
  if (condition.empty()) return plain;
  const std::string recorded =
      call.replayable + "(" + call.arguments + ", " +
      write_relocation(translation, directive, closure, sections, context) + ");\n";
  return condition == "1" ? recorded : "if (" + condition + ") " + recorded + "else " + plain;
}

}  // namespace bobbin::translate
