// SPDX-License-Identifier: Apache-2.0
#include "lower/data/used_allocators.h"

#include <algorithm>

namespace bobbin::translate {

UsedAllocators::UsedAllocators(const Translation& translation, const Directive& directive) {
  for (const Clause& clause : directive.clauses) {
    if (clause.kind() != ClauseKind::UsesAllocators) continue;
    const Span& name = clause.items.front().base;
    if (const Variable* variable = translation.variable_at(name)) {
      all_.push_back({variable, &clause});
      continue;
    }
    const std::string text = translation.source.text().substr(name.begin, name.end - name.begin);
    const bool is_predefined = text.starts_with("omp_") && text.ends_with("_mem_alloc");
    if (!is_predefined || clause.expression || clause.second) {
      throw Refusal{name.begin, "expected a predefined allocator without traits, or a variable"};
    }
  }
}

bool UsedAllocators::contains(const Variable& variable) const {
  return std::any_of(all_.begin(), all_.end(),
                     [&](const One& one) { return one.variable == &variable; });
}

void UsedAllocators::declare_in(Closure& closure, Translation& translation,
                                const Context& outer) const {
  for (const auto& [variable, clause] : all_) {
    const std::string declaration =
        translation.types.declare(variable->type, variable->name, Types::Const::Drop);
    std::string traits = "0, 0";
    if (clause->expression) {
      const std::string array = translation.render_span(*clause->expression, outer);
      // Not each omp.h declares the parameter as const.
      traits = "sizeof " + array;
      traits.append(" / sizeof ").append(array);
      traits.append("[0], (omp_alloctrait_t *)").append(array);
    }
    const std::string space =
        clause->second ? translation.render_span(*clause->second, outer) : "omp_default_mem_space";
    std::string made = "omp_init_allocator(" + space;
    made.append(", ").append(traits).append(")");
    closure.pass(declaration, variable->name, made);
    closure.add_prologue(declaration + " = " + closure.member(variable->name) + "; (void)" +
                         variable->name + ";");
    closure.context().put(*variable, Place::named(variable->name));
    closure.context().shared.erase(variable);
  }
}

std::string UsedAllocators::note_use(const Context& outer) const {
  std::string text;
  for (const One& one : all_) text += "(void)sizeof " + outer.text_of(*one.variable) + ";\n";
  return text;
}

std::string UsedAllocators::destroy(const std::string& structure) const {
  std::string text;
  for (const One& one : all_) {
    text += "omp_destroy_allocator(" + structure + one.variable->name + ");\n";
  }
  return text;
}

}  // namespace bobbin::translate
