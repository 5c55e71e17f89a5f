// SPDX-License-Identifier: Apache-2.0
#include "lower/linear.h"

namespace bobbin::translate {

LinearVariables::LinearVariables(Translation& translation, const Directive& directive,
                                 const Context& outer)
    : translation_(translation), outer_(outer) {
  for (const Clause& clause : directive.clauses) {
    if (clause.kind() != ClauseKind::Linear) continue;
    for (const Item& item : clause.items) {
      const Variable& variable = translation.variable_of(item);
      const bool is_number = translation.types.is_integer(variable.type);
      if (!is_number && !translation.types.is_pointer(variable.type)) {
        throw Refusal{item.base.begin,
                      "'" + variable.name + "' in 'linear' is neither an integer nor a pointer"};
      }
      const Names& names = translation.names;
      all_.push_back({&variable, names.free(variable.name + "_original"),
                      names.free(variable.name + "_first"), names.free(variable.name + "_step"),
                      clause.expression ? translation.render_span(*clause.expression, outer) : "1",
                      names.free(variable.name + "_next")});
    }
  }
}

void LinearVariables::declare_in(Context& context) const {
  for (const One& one : all_) {
    context.texts[one.variable] = one.variable->name;
    context.shared.erase(one.variable);
    context.assigned.erase(one.variable);
  }
}

std::string LinearVariables::originals() const {
  std::string text;
  for (const One& one : all_) {
    text += "__typeof__(" + outer_.text_of(*one.variable) + ") *const " + one.original + " = " +
            outer_.address_of(*one.variable) + ", " + one.first + " = *" + one.original + ";\n" +
            "const long long " + one.step + " = " + one.step_value + ";\n";
  }
  // No thread may assign the last value before all have read the first one.
  if (!empty()) text += "bobbin_omp_barrier(bobbin_omp_workshare_barrier);\n";
  return text;
}

std::string LinearVariables::declarations() const {
  std::string text;
  for (const One& one : all_) {
    text += translation_.types.declare(one.variable->type, one.variable->name, Types::Const::Drop) +
            ";\n";
  }
  return text;
}

std::string LinearVariables::value(const One& one, const std::string& number) const {
  const Types& types = translation_.types;
  if (types.is_pointer(one.variable->type)) {
    return one.first + " + (long long)" + number + " * " + one.step;
  }
  return "(" + types.name(one.variable->type) + ")((unsigned long long)" + one.first + " + " +
         number + " * (unsigned long long)" + one.step + ")";
}

std::string LinearVariables::start(const std::string& first) const {
  std::string text;
  for (const One& one : all_) {
    text += translation_.types.declare(one.variable->type, one.next, Types::Const::Drop) + " = " +
            value(one, first) + ";\n";
  }
  return text;
}

std::string LinearVariables::step() const {
  const Types& types = translation_.types;
  std::string text;
  for (const One& one : all_) {
    const Type type = one.variable->type;
    const std::string cast = types.is_pointer(type) ? "" : "(" + types.name(type) + ")";
    text += ", " + one.next + " += " + cast + one.step;
  }
  return text;
}

std::string LinearVariables::assign() const {
  std::string text;
  for (const One& one : all_) text += one.variable->name + " = " + one.next + ";\n";
  return text;
}

std::string LinearVariables::assign_last(const std::string& count) const {
  std::string text;
  for (const One& one : all_) text += "*" + one.original + " = " + value(one, count) + ";\n";
  return text;
}

}  // namespace bobbin::translate
