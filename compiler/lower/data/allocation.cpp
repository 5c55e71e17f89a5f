// SPDX-License-Identifier: Apache-2.0
#include "lower/data/allocation.h"

#include <algorithm>

namespace bobbin::translate {
namespace {

// The copies that other mechanisms make.
bool is_other_copy(const Clause& clause) {
  const auto has = [&](const char* modifier) {
    return std::find(clause.modifiers.begin(), clause.modifiers.end(), modifier) !=
           clause.modifiers.end();
  };
  return clause.kind() == ClauseKind::Linear || clause.kind() == ClauseKind::Induction ||
         clause.kind() == ClauseKind::InReduction ||
         (clause.kind() == ClauseKind::Lastprivate && has("conditional")) ||
         (clause.kind() == ClauseKind::Reduction && has("inscan"));
}

// The construct must have copies of the variable, which lies in memory of an allocator.
void check(const Translation& translation, const Directive& directive, const Item& item) {
  const Variable& variable = translation.variable_of(item);
  bool is_copied = false;
  for (const Clause& clause : directive.clauses) {
    const bool is_listed =
        std::any_of(clause.items.begin(), clause.items.end(),
                    [&](const Item& one) { return translation.base_of(one) == &variable; });
    if (!is_listed) continue;
    if (is_other_copy(clause)) {
      throw Refusal{item.base.begin, "'allocate' of '" + variable.name + "', which is in '" +
                                         std::string(clause.row->name) +
                                         "', is not supported by bobbin translate"};
    }
    is_copied = is_copied || makes_copies(clause.kind());
  }
  if (!is_copied) {
    throw Refusal{item.base.begin, "'" + variable.name + "' in 'allocate' is not private in '" +
                                       directive.row->name + "'"};
  }
}

std::string call(const Allocation& allocation, const std::string& name, const std::string& size) {
  return "bobbin_omp_allocate(" + size + ", __alignof__(*" + name + "), " + allocation.alignment +
         ", " + allocation.allocator + ");";
}

}  // namespace

std::string Allocation::declare(const std::string& pointer, const std::string& name) const {
  return declare_sized(pointer, name, "sizeof *" + name);
}

std::string Allocation::declare_computed(const std::string& pointer,
                                         const std::string& name) const {
  return pointer + kFreedAtEnd + " = 0; " + name + " = " + call(*this, name, "sizeof *" + name);
}

std::string Allocation::declare_sized(const std::string& pointer, const std::string& name,
                                      const std::string& size) const {
  return pointer + kFreedAtEnd + " = " + call(*this, name, size);
}

Allocations::Allocations(Translation& translation, const Directive& directive, const Context& outer,
                         const Pass& pass) {
  size_t number = 0;
  for (const Clause& clause : directive.clauses) {
    if (clause.kind() != ClauseKind::Allocate) continue;
    Allocation allocation;
    if (clause.second) allocation.alignment = translation.render_span(*clause.second, outer);
    if (clause.expression) {
      const Span& span = *clause.expression;
      const std::string text = translation.render_span(span, outer);
      const bool is_predefined =
          text.starts_with("omp_") && text.ends_with("_mem_alloc") &&
          translation.references_in({span.probe_begin, span.probe_end}).empty();
      const std::string name = translation.names.free("allocator_" + std::to_string(++number));
      allocation.allocator = is_predefined ? text : pass(name, span);
    }
    for (const Item& item : clause.items) {
      check(translation, directive, item);
      const Variable& variable = translation.variable_of(item);
      all_[&variable] = allocation;
      if (variable.alignment == 0) continue;
      const std::string own = std::to_string(variable.alignment);
      const std::string& wanted = allocation.alignment;
      all_[&variable].alignment =
          wanted == "0" ? own : "((" + wanted + ") > " + own + " ? (" + wanted + ") : " + own + ")";
    }
  }
}

Allocations::Allocations(Translation& translation, const Directive& directive, const Context& outer,
                         std::string& constants)
    : Allocations(translation, directive, outer,
                  [&](const std::string& name, const Span& allocator) {
                    constants += "const unsigned long " + name + " = (unsigned long)(" +
                                 translation.render_span(allocator, outer) + ");\n";
                    return name;
                  }) {}

}  // namespace bobbin::translate
