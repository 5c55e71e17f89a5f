// SPDX-License-Identifier: Apache-2.0
#include "lower/reduction.h"

#include <algorithm>

namespace bobbin::translate {
namespace {

constexpr const char* kOperators[] = {"+", "-", "*", "&", "|", "^", "&&", "||", "max", "min"};

}  // namespace

ReductionItem::ReductionItem(const Translation& translation, const Clause& clause, const Item& item)
    : translation_(translation), variable_(&translation.variable_of(item)) {
  original_ = translation.names.free(variable_->name + "_original");
  if (clause.modifiers.empty()) throw Refusal{clause.at, "expected an operator in 'reduction'"};
  operator_ = clause.modifiers.back();
  if (clause.modifiers.size() > 1 && clause.modifiers.front() != "default" &&
      clause.modifiers.front() != "inscan") {
    throw Refusal{clause.at, "modifier '" + clause.modifiers.front() +
                                 "' of 'reduction' is not supported by bobbin translate"};
  }
  if (!item.sections.empty()) {
    throw Refusal{item.base.begin,
                  "array sections in 'reduction' are not supported by bobbin translate"};
  }
  element_ = variable_->type;
  const Types& types = translation.types;
  if (types.is_variable(element_)) {
    throw Refusal{item.base.begin, "'" + variable_->name +
                                       "' in 'reduction' has a length that is not constant, which "
                                       "is not supported by bobbin translate"};
  }
  while (types.is_array(element_)) element_ = types.element(element_);
  if (std::find(std::begin(kOperators), std::end(kOperators), operator_) != std::end(kOperators) &&
      types.is_arithmetic(element_)) {
    return;
  }
  for (const DeclaredReduction& one : translation.reductions) {
    if (one.name == operator_ && types.are_same(one.type, element_)) declared_ = &one;
  }
  if (declared_ == nullptr) {
    throw Refusal{item.base.begin,
                  "no reduction '" + operator_ + "' for the type of '" + variable_->name + "'"};
  }
}

std::string ReductionItem::largest(Type type) const {
  const Types& types = translation_.types;
  if (types.is_floating(type)) return "__builtin_inf()";
  if (!types.is_signed(type)) return "(" + types.name(type) + ")-1";
  switch (types.size(type)) {
    case 1:
      return "127";
    case 2:
      return "32767";
    case 4:
      return "2147483647";
    case 16:
      return "(__int128)((unsigned __int128)-1 >> 1)";
    default:
      return "9223372036854775807LL";
  }
}

std::string ReductionItem::smallest(Type type) const {
  const Types& types = translation_.types;
  if (types.is_floating(type)) return "-__builtin_inf()";
  return types.is_signed(type) ? "-" + largest(type) + " - 1" : "0";
}

std::string ReductionItem::identity(Type type) const {
  if (operator_ == "*" || operator_ == "&&") return "1";
  if (operator_ == "&") return "~(" + translation_.types.name(type) + ")0";
  if (operator_ == "max") return smallest(type);
  if (operator_ == "min") return largest(type);
  return "0";
}

std::string ReductionItem::combined(const std::string& out, const std::string& in,
                                    Type type) const {
  if (declared_ != nullptr) return declared_->combine + "(&" + out + ", &" + in + ");";
  if (operator_ == "max") return "if (" + in + " > " + out + ") " + out + " = " + in + ";";
  if (operator_ == "min") return "if (" + in + " < " + out + ") " + out + " = " + in + ";";
  const std::string sum = operator_ == "-" ? "+" : operator_;
  return out + " = (" + translation_.types.name(type) + ")(" + out + " " + sum + " " + in + ");";
}

// The elements of an array of any rank, one after the other.
std::string ReductionItem::declare() const {
  const Types& types = translation_.types;
  const std::string& name = variable_->name;
  const std::string declaration = types.declare(variable_->type, name, Types::Const::Drop);
  if (!types.is_array(variable_->type)) {
    if (declared_ == nullptr) return declaration + " = " + identity(element_) + ";\n";
    return declaration + ";\n" + declared_->initialize + "(&" + name + ", " + original_ + ");\n";
  }
  const std::string element = translation_.names.free("element");
  const std::string pointer = "((" + types.declare_pointer(element_, "") + ")";
  std::string text = declaration + ";\nfor (unsigned long " + element + " = 0; " + element +
                     " < sizeof " + name + " / sizeof(" + types.name(element_) + "); ++" + element +
                     ")\n  ";
  if (declared_ != nullptr) {
    return text + declared_->initialize + "(&" + pointer + name + ")[" + element + "], &" +
           pointer + original_ + ")[" + element + "]);\n";
  }
  return text + pointer + name + ")[" + element + "] = " + identity(element_) + ";\n";
}

std::string ReductionItem::combine() const {
  const Types& types = translation_.types;
  const std::string& name = variable_->name;
  if (!types.is_array(variable_->type)) {
    return "  " + combined("(*" + original_ + ")", name, element_) + "\n";
  }
  const std::string element = translation_.names.free("element");
  const std::string pointer = "((" + types.declare_pointer(element_, "") + ")";
  return "  for (unsigned long " + element + " = 0; " + element + " < sizeof " + name +
         " / sizeof(" + types.name(element_) + "); ++" + element + ") {\n    " +
         combined(pointer + original_ + ")[" + element + "]", pointer + name + ")[" + element + "]",
                  element_) +
         "\n  }\n";
}

namespace {

enum class Inscan : unsigned char { No, Yes };

std::vector<ReductionItem> items_of(const Translation& translation, const Directive& directive,
                                    Inscan inscan) {
  std::vector<ReductionItem> items;
  for (const Clause& clause : directive.clauses) {
    if (clause.kind() != ClauseKind::Reduction) continue;
    const bool is_inscan = !clause.modifiers.empty() && clause.modifiers.front() == "inscan";
    if (is_inscan != (inscan == Inscan::Yes)) continue;
    for (const Item& item : clause.items) items.emplace_back(translation, clause, item);
  }
  return items;
}

}  // namespace

std::vector<ReductionItem> reduction_items(const Translation& translation,
                                           const Directive& directive) {
  return items_of(translation, directive, Inscan::No);
}

std::vector<ReductionItem> inscan_items(const Translation& translation,
                                        const Directive& directive) {
  return items_of(translation, directive, Inscan::Yes);
}

std::string combine_one_by_one(const std::vector<ReductionItem>& items) {
  std::string text;
  for (const ReductionItem& item : items) text += item.combine();
  return text;
}

std::string combine(const std::vector<ReductionItem>& items) {
  if (items.empty()) return "";
  return "bobbin_omp_combine_begin();\n" + combine_one_by_one(items) +
         "bobbin_omp_combine_end();\n";
}

}  // namespace bobbin::translate
