// SPDX-License-Identifier: Apache-2.0
#include "lower/linear.h"

namespace bobbin::translate {

LinearVariables::LinearVariables(Translation& translation, const Directive& directive,
                                 const Context& outer)
    : translation_(translation), outer_(outer) {
  for (const Clause& clause : directive.clauses) {
    if (clause.kind() != ClauseKind::Linear && clause.kind() != ClauseKind::Induction) continue;
    for (const Item& item : clause.items) add(clause, item);
  }
}

void LinearVariables::add(const Clause& clause, const Item& item) {
  const Variable& variable = translation_.variable_of(item);
  const Types& types = translation_.types;
  const bool is_product = clause.word == "*";
  const bool is_induction = clause.kind() == ClauseKind::Induction;
  if (!(is_induction ? types.is_arithmetic(variable.type) : types.is_integer(variable.type)) &&
      (is_product || !types.is_pointer(variable.type))) {
    throw Refusal{item.base.begin, "'" + variable.name + "' in '" + std::string(clause.row->name) +
                                       "' has a type that the operation does not take"};
  }
  const Names& names = translation_.names;
  all_.push_back({&variable, names.free(variable.name + "_original"),
                  names.free(variable.name + "_first"), names.free(variable.name + "_step"),
                  clause.expression ? translation_.render_span(*clause.expression, outer_) : "1",
                  names.free(variable.name + "_next"), is_product ? write_power(variable) : ""});
}

std::string LinearVariables::write_power(const Variable& variable) {
  const Types& types = translation_.types;
  const std::string name = translation_.names.unique(variable.name + "_times_power");
  translation_.before_function(
      "static " + types.name(variable.type) + " " + name + "(" +
      types.declare(variable.type, "value", Types::Const::Drop) + ", " +
      types.declare(variable.type, "step", Types::Const::Drop) +
      // The step is not squared once too often, because that may overflow.
      ", unsigned long long power) {\nfor (;;) {\nif (power % 2 != 0) value *= step;\npower /= "
      "2;\nif (power == 0) return value;\nstep *= step;\n}\n}\n\n");
  return name;
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
            type_of_step(one) + one.step + " = " + one.step_value + ";\n";
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

// Of an integer the step is one, so that it may be negative where the variable is unsigned.
std::string LinearVariables::type_of_step(const One& one) const {
  const Types& types = translation_.types;
  const Type type = one.variable->type;
  const bool is_whole = types.is_integer(type) || types.is_pointer(type);
  return is_whole ? "const long long " : "const " + types.name(type) + " ";
}

std::string LinearVariables::value(const One& one, const std::string& number) const {
  const Types& types = translation_.types;
  if (!one.power.empty()) {
    return one.power + "(" + one.first + ", (" + types.name(one.variable->type) + ")" + one.step +
           ", " + number + ")";
  }
  if (types.is_arithmetic(one.variable->type) && !types.is_integer(one.variable->type)) {
    const std::string cast = "(" + types.name(one.variable->type) + ")";
    return one.first + " + " + cast + number + " * " + one.step;
  }
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
    text += ", " + one.next + (one.power.empty() ? " += " : " *= ") + cast + one.step;
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
