// SPDX-License-Identifier: Apache-2.0
#include "lower/data/linear.h"

#include <algorithm>

#include "lower/data/captures.h"

namespace bobbin::translate {
namespace {

bool is_of_clauses(const Clause& clause, LinearVariables::Of clauses) {
  return clause.kind() == ClauseKind::Induction ||
         (clause.kind() == ClauseKind::Linear && clauses == LinearVariables::Of::All);
}

}  // namespace

LinearVariables::LinearVariables(Translation& translation, const Directive& directive,
                                 const Context& outer, const Iterations& iterations, Of clauses)
    : translation_(translation), outer_(outer) {
  for (const Clause& clause : directive.clauses) {
    if (!is_of_clauses(clause, clauses)) continue;
    if (clause.kind() == ClauseKind::Induction && !iterations.is_rectangular()) {
      throw Refusal{clause.at,
                    "OpenMP does not permit 'induction' where the bounds of a loop depend on "
                    "another one"};
    }
    for (const Item& item : clause.items) add(clause, item);
  }
}

void LinearVariables::add(const Clause& clause, const Item& item) {
  const Variable& variable = translation_.variable_of(item);
  const Types& types = translation_.types;
  const Names& names = translation_.names;
  One one{&variable,
          original_of(names, variable),
          names.free(variable.name + "_first"),
          names.free(variable.name + "_step"),
          clause.expression ? translation_.render_span(*clause.expression, outer_) : "1",
          names.free(variable.name + "_next")};
  const bool is_induction = clause.kind() == ClauseKind::Induction;
  one.is_strict = is_induction && !clause.modifiers.empty();
  one.is_product = is_induction && clause.word == "*";
  if (is_induction && clause.word != "+" && !one.is_product) {
    one.declared = &declared(clause, item);
  } else if (!(is_induction ? types.is_arithmetic(variable.type)
                            : types.is_integer(variable.type)) &&
             (one.is_product || !types.is_pointer(variable.type))) {
    throw Refusal{item.base.begin, "'" + variable.name + "' in '" + std::string(clause.row->name) +
                                       "' has a type that the operation does not take"};
  }
  if (one.is_product) one.power = write_power(variable);
  all_.push_back(std::move(one));
}

const DeclaredInduction& LinearVariables::declared(const Clause& clause, const Item& item) const {
  const Variable& variable = translation_.variable_of(item);
  const DeclaredInduction* found = nullptr;
  for (const DeclaredInduction& one : translation_.inductions) {
    if (one.name != clause.word || !translation_.types.are_same(one.type, variable.type)) continue;
    if (found != nullptr) {
      throw Refusal{item.base.begin, "several inductions '" + clause.word + "' for the type of '" +
                                         variable.name + "' are not supported"};
    }
    found = &one;
  }
  if (found == nullptr) {
    throw Refusal{item.base.begin,
                  "no induction '" + clause.word + "' for the type of '" + variable.name + "'"};
  }
  return *found;
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

std::vector<const Variable*> LinearVariables::variables() const {
  std::vector<const Variable*> found;
  found.reserve(all_.size());
  for (const One& one : all_) found.push_back(one.variable);
  return found;
}

void LinearVariables::declare_in(Context& context) const {
  for (const One& one : all_) {
    context.make_private(*one.variable);
    context.assigned.erase(one.variable);
  }
}

std::string LinearVariables::originals() const {
  std::string text;
  for (const One& one : all_) {
    const Variable& variable = *one.variable;
    if (!outer_.place_of(variable).is_behind(one.original)) {
      text += translation_.types.declare_pointer(variable.type, one.original) + " = " +
              outer_.address_of(variable) + ";\n";
    }
    text += declare(one, one.first) + " = *" + one.original + ";\n" + declare_step(one) + " = " +
            one.step_value + ";\n";
  }
  return text;
}

// Another task may have assigned the original before this one begins.
void LinearVariables::pass_to(Closure& closure) const {
  for (const One& one : all_) {
    closure.point_to(*one.variable, one.original);
    const auto pass = [&](const std::string& declaration, const std::string& name,
                          const std::string& value) {
      closure.pass(declaration, name, value);
      closure.add_prologue(declaration + " = " + closure.member(name) + ";");
    };
    pass(declare(one, one.first), one.first, outer_.text_of(*one.variable));
    pass(declare_step(one), one.step, one.step_value);
  }
  declare_in(closure.context());
}

std::string LinearVariables::declarations() const {
  std::string text;
  for (const One& one : all_) text += declare(one, one.variable->name) + ";\n";
  return text;
}

std::string LinearVariables::declare(const One& one, const std::string& name) const {
  return translation_.types.declare(*one.variable, name, Types::Const::Drop);
}

// Of an integer the step is one, so that it may be negative where the variable is unsigned.
std::string LinearVariables::declare_step(const One& one) const {
  const Types& types = translation_.types;
  if (one.declared != nullptr) {
    return types.declare(one.declared->step_type, one.step, Types::Const::Drop);
  }
  const Type type = one.variable->type;
  const bool is_whole = types.is_integer(type) || types.is_pointer(type);
  return (is_whole ? "const long long " : "const " + types.name(type) + " ") + one.step;
}

std::string LinearVariables::value(const One& one, const std::string& number) const {
  const Types& types = translation_.types;
  if (one.declared != nullptr) {
    return one.declared->closed + "(" + one.first + ", " + one.step + ", " + number + ")";
  }
  if (one.is_product) {
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
    if (!one.is_strict) text += declare(one, one.next) + " = " + value(one, first) + ";\n";
  }
  return text;
}

std::string LinearVariables::step() const {
  const Types& types = translation_.types;
  std::string text;
  for (const One& one : all_) {
    if (one.is_strict) continue;
    if (one.declared != nullptr) {
      text += ", " + one.declared->induct + "(&" + one.next + ", " + one.step + ")";
      continue;
    }
    const Type type = one.variable->type;
    const std::string cast = types.is_pointer(type) ? "" : "(" + types.name(type) + ")";
    text += ", " + one.next + (one.is_product ? " *= " : " += ") + cast + one.step;
  }
  return text;
}

std::string LinearVariables::assign(const std::string& number) const {
  std::string text;
  for (const One& one : all_) {
    text += one.variable->name + " = " + (one.is_strict ? value(one, number) : one.next) + ";\n";
  }
  return text;
}

bool LinearVariables::needs_number() const {
  return std::any_of(all_.begin(), all_.end(), [](const One& one) { return one.is_strict; });
}

std::string LinearVariables::assign_last(const std::string& count) const {
  std::string text;
  for (const One& one : all_) text += "*" + one.original + " = " + value(one, count) + ";\n";
  return text;
}

}  // namespace bobbin::translate
