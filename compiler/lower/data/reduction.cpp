// SPDX-License-Identifier: Apache-2.0
#include "lower/data/reduction.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace bobbin::translate {
namespace {

constexpr const char* kOperators[] = {"+", "-", "*", "&", "|", "^", "&&", "||", "max", "min"};

}  // namespace

ReductionItem::ReductionItem(Translation& translation, const Clause& clause, const Item& item,
                             const Context& outer)
    : translation_(translation), outer_(outer), variable_(translation.base_of(item)) {
  if (variable_ == nullptr) throw Refusal{item.base.begin, "expected a variable's name"};
  const Names& names = translation.names;
  original_ = names.free(variable_->name + "_original");
  copy_ = names.free(variable_->name + "_copy");
  count_ = names.free(variable_->name + "_count");
  offset_ = names.free(variable_->name + "_offset");
  read_operator(clause);
  element_ = variable_->type;
  const Types& types = translation.types;
  const size_t levels = item.subscripts.value_or(0) + item.sections.size();
  for (size_t i = 0; i < levels; ++i) {
    if (!types.is_array(element_) && !types.is_pointer(element_)) {
      throw Refusal{item.base.begin, "'" + variable_->name + "' has more subscripts than its type"};
    }
    element_ = types.is_array(element_) ? types.element(element_) : types.pointee(element_);
  }
  const bool is_rows = types.is_array(element_);
  while (types.is_array(element_)) element_ = types.element(element_);
  if (levels != 0 || (is_rows && types.is_variable(variable_->type))) read_section(item);
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

void ReductionItem::read_operator(const Clause& clause) {
  if (clause.modifiers.empty()) throw Refusal{clause.at, "expected an operator in 'reduction'"};
  operator_ = clause.modifiers.back();
  if (clause.modifiers.size() < 2) return;
  const std::string& modifier = clause.modifiers.front();
  is_by_tasks_ = modifier == "task";
  if (!is_by_tasks_ && modifier != "default" && modifier != "inscan") {
    throw Refusal{clause.at, "modifier '" + modifier +
                                 "' of 'reduction' is not supported by bobbin translate"};
  }
}

namespace {

std::string unsigned_value(const std::string& expression) {
  return "(unsigned long)(" + expression + ")";
}

// Of an array.
std::string length_of(const std::string& array) {
  return "sizeof " + array + " / sizeof " + array + "[0]";
}
std::string length_behind(const std::string& array, const std::string& lower) {
  return "(" + length_of(array) + " - " + unsigned_value(lower) + ")";
}

}  // namespace

// The elements lie one after the other, as section 5.2.5 demands.
void ReductionItem::read_section(const Item& item) {
  const Types& types = translation_.types;
  // Subscripts follow.
  const bool is_name = translation_.variable_at(item.base) != nullptr;
  std::string first =
      is_name ? outer_.text_of(*variable_) : translation_.render_span(item.base, outer_);
  std::string count;
  const auto add_factor = [&](const std::string& factor) {
    count += (count.empty() ? "" : " * ") + factor;
  };
  for (const Item::Section& section : item.sections) {
    const std::string lower =
        section.lower ? translation_.render_span(*section.lower, outer_) : "0";
    if (section.length) {
      add_factor(unsigned_value(translation_.render_span(*section.length, outer_)));
    } else if (section.has_colon) {
      add_factor(section.lower ? length_behind(first, lower) : length_of(first));
    }
    first.append("[" + lower + "]");
  }
  const std::string element = types.name(element_);
  add_factor("(sizeof " + first + " / sizeof(" + element + "))");
  const std::string pointer = types.declare_pointer(element_, original_);
  constants_ = {
      {pointer, original_, "(" + types.declare_pointer(element_, "") + ")&" + first},
      {"unsigned long " + count_, count_, count},
      {"long " + offset_, offset_,
       "(char *)&" + first + " - (char *)" + outer_.text_of(*variable_)},
  };
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

std::string ReductionItem::combined(const std::string& out, const std::string& in) const {
  if (declared_ != nullptr) return declared_->combine + "(&" + out + ", &" + in + ");";
  if (operator_ == "max") return "if (" + in + " > " + out + ") " + out + " = " + in + ";";
  if (operator_ == "min") return "if (" + in + " < " + out + ") " + out + " = " + in + ";";
  if (operator_ == "&&" || operator_ == "||") {
    return out + " = " + out + " " + operator_ + " " + in + ";";
  }
  return out + " " + (operator_ == "-" ? "+" : operator_) + "= " + in + ";";
}

std::string ReductionItem::initialize_element(const std::string& copy,
                                              const std::string& original) const {
  if (declared_ == nullptr) return copy + " = " + identity(element_) + ";\n";
  return declared_->initialize + "(&" + copy + ", &" + original + ");\n";
}

std::string ReductionItem::for_each(const std::string& count) const {
  const std::string element = translation_.names.free("element");
  return "for (unsigned long " + element + " = 0; " + element + " < " + count + "; ++" + element +
         ") {\n  ";
}

Place ReductionItem::place() const {
  const bool is_pointed_to =
      is_section() ? translation_.types.is_array(variable_->type) : allocation_ != nullptr;
  return is_pointed_to ? Place::behind(variable_->name) : Place::named(variable_->name);
}

std::string ReductionItem::move(const std::string& moved, const std::string& first,
                                const std::string& offset) const {
  return moved + " = bobbin_omp_inlined_move(" + first + ", " + offset + "); (void)" +
         variable_->name + ";";
}

// The elements of an array of any rank, one after the other.
std::string ReductionItem::declare(const std::string& moved) const {
  const Types& types = translation_.types;
  const std::string name = place().text();
  const std::string at = "[" + translation_.names.free("element") + "]";
  if (is_section()) {
    // An array has one element at least.
    const std::string length = count_ + " != 0 ? " + count_ + " : 1";
    const std::string copy =
        allocation_ != nullptr
            ? allocation_->declare_sized(types.declare_pointer(element_, copy_), copy_,
                                         "sizeof *" + copy_ + " * (" + length + ")")
            : types.declare(element_, copy_, Types::Const::Drop) + "[" + length + "];";
    return copy + "\n" + for_each(count_) + initialize_element(copy_ + at, original_ + at) + "}\n" +
           move(moved, copy_, offset_) + "\n";
  }
  std::string declaration = types.declare(*variable_, name, Types::Const::Drop);
  if (allocation_ != nullptr) declaration = allocation_->declare(declaration, variable_->name);
  const std::string end = allocation_ != nullptr ? "\n" : ";\n";
  if (!types.is_array(variable_->type)) {
    if (declared_ == nullptr) {
      return declaration + (allocation_ != nullptr ? "\n" + name : "") + " = " +
             identity(element_) + ";\n";
    }
    return declaration + end + declared_->initialize + "(&" + name + ", " + original_ + ");\n";
  }
  const std::string pointer = "((" + types.declare_pointer(element_, "") + ")";
  return declaration + end +
         for_each("sizeof " + name + " / sizeof(" + types.name(element_) + ")") +
         initialize_element(pointer + name + ")" + at, pointer + original_ + ")" + at) + "}\n";
}

std::string ReductionItem::combine() const {
  const Types& types = translation_.types;
  const std::string name = place().text();
  const std::string at = "[" + translation_.names.free("element") + "]";
  if (is_section()) {
    return "  " + for_each(count_) + "  " + combined(original_ + at, copy_ + at) + "\n  }\n";
  }
  if (!types.is_array(variable_->type)) {
    return "  " +
           (declared_ != nullptr
                ? declared_->combine + "(" + original_ + ", " + place().address() + ");"
                : combined("*" + original_, name)) +
           "\n";
  }
  const std::string pointer = "((" + types.declare_pointer(element_, "") + ")";
  return "  " + for_each("sizeof " + name + " / sizeof(" + types.name(element_) + ")") + "  " +
         combined(pointer + original_ + ")" + at, pointer + name + ")" + at) + "\n  }\n";
}

std::string ReductionItem::describe(const Directive& directive, const std::string& into_address,
                                    const std::string& initial) const {
  const Types& types = translation_.types;
  const Names& names = translation_.names;
  const std::string prefix =
      translation_.name_for(directive, outer_, "reduction_" + variable_->name);
  const std::string at = "[" + names.free("element") + "]";
  const std::string size = names.free("size");
  const std::string loop = "  " + for_each(size + " / sizeof(" + types.name(element_) + ")") + "  ";
  const auto function = [&](const std::string& name, const std::string& a, const std::string& b) {
    const std::string first = names.free(a + "_data");
    const std::string second = names.free(b + "_data");
    return "static void " + name + "(void *" + first + ", void *" + second + ", unsigned long " +
           size + ") {\n  " + types.declare_pointer(element_, a) + " = " + first + ";\n  " +
           types.declare_pointer(element_, b) + " = " + second + ";\n";
  };
  const std::string copy = names.free("copy");
  const std::string from = names.free("from");
  const std::string into = names.free("into");
  translation_.before_function(function(prefix + "_initialize", copy, from) + "  (void)" + from +
                               ";\n" + loop + initialize_element(copy + at, from + at) +
                               "  }\n}\n" + function(prefix + "_combine", into, copy) + loop +
                               combined(into + at, copy + at) + "\n  }\n}\n\n");
  const std::string bytes = is_section() ? count_ + " * sizeof(" + types.name(element_) + ")"
                                         : "sizeof(" + types.name(variable_->type) + ")";
  return "{" + into_address + ", " + initial + ", " + bytes + ", " + prefix + "_initialize, " +
         prefix + "_combine}";
}

std::string ReductionItem::describe_original(const Directive& directive) const {
  const std::string original = is_section() ? original_ : outer_.address_of(*variable_);
  return describe(directive, original, original);
}

std::string ReductionItem::describe_copy(const Directive& directive) const {
  return describe(directive, is_section() ? copy_ : place().address(), original_);
}

namespace {

template <class Predicate>
std::vector<ReductionItem> items_where(Translation& translation, const Directive& directive,
                                       const Context& outer, const Predicate& is_wanted) {
  std::vector<ReductionItem> items;
  for (const Clause& clause : directive.clauses) {
    if (!is_wanted(clause)) continue;
    for (const Item& item : clause.items) items.emplace_back(translation, clause, item, outer);
  }
  return items;
}

}  // namespace

std::vector<ReductionItem> reduction_items(Translation& translation, const Directive& directive,
                                           const Context& outer, ClauseKind kind) {
  return items_where(translation, directive, outer, [kind](const Clause& clause) {
    return clause.kind() == kind && !is_inscan(clause);
  });
}

bool has_inscan(const Directive& directive) {
  return std::any_of(directive.clauses.begin(), directive.clauses.end(), is_inscan);
}

std::vector<ReductionItem> inscan_items(Translation& translation, const Directive& directive,
                                        const Context& outer) {
  return items_where(translation, directive, outer, is_inscan);
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

namespace {

std::string describe_all(const std::vector<std::string>& items, const std::string& name) {
  std::string elements;
  for (const std::string& one : items) elements += (elements.empty() ? "" : ", ") + one;
  return "const struct bobbin_omp_reduction " + name + "[] = {" + elements + "};\n";
}

}  // namespace

std::string await_initialization(const std::vector<ReductionItem>& items) {
  const bool any = std::any_of(items.begin(), items.end(),
                               [](const ReductionItem& item) { return item.reads_original(); });
  return any ? "bobbin_omp_barrier(bobbin_omp_workshare_barrier);\n" : "";
}

std::string begin_tasks(const Translation& translation, const Directive& directive,
                        const std::vector<ReductionItem>& items) {
  std::vector<std::string> described;
  for (const ReductionItem& item : items) {
    if (item.is_by_tasks()) described.push_back(item.describe_copy(directive));
  }
  if (described.empty()) return "";
  const std::string name = translation.names.free("reductions");
  return describe_all(described, name) + "bobbin_omp_region_reductions_begin(" + name + ", " +
         std::to_string(described.size()) + ");\n";
}

std::string end_tasks(const std::vector<ReductionItem>& items) {
  const bool any = std::any_of(items.begin(), items.end(),
                               [](const ReductionItem& item) { return item.is_by_tasks(); });
  return any ? "bobbin_omp_region_reductions_end();\n" : "";
}

TaskReductions task_reductions(const Translation& translation, const Directive& directive,
                               const std::vector<ReductionItem>& items) {
  TaskReductions made;
  // Those that lie in the same memory are described together.
  std::vector<std::pair<const Allocation*, std::vector<std::string>>> groups;
  for (const ReductionItem& item : items) {
    for (const ReductionItem::Constant& one : item.constants()) {
      made.declarations += one.declaration + " = " + one.value + ";\n";
      if (one.name == item.offset()) made.declarations += "(void)" + one.name + ";\n";
    }
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& one) {
      return (one.first == nullptr) == (item.allocation() == nullptr) &&
             (one.first == nullptr || *one.first == *item.allocation());
    });
    if (group == groups.end()) {
      groups.push_back({item.allocation(), {}});
      group = std::prev(groups.end());
    }
    group->second.push_back(item.describe_original(directive));
  }
  size_t number = 0;
  for (const auto& [allocation, described] : groups) {
    const std::string name = translation.names.free(
        ++number == 1 ? "reductions" : "other_reductions_" + std::to_string(number));
    const std::string arguments = name + ", " + std::to_string(described.size());
    made.declarations += describe_all(described, name);
    made.begin += allocation == nullptr
                      ? "bobbin_omp_task_reductions(" + arguments + ");\n"
                      : "bobbin_omp_allocated_task_reductions(" + arguments + ", " +
                            allocation->alignment + ", " + allocation->allocator + ");\n";
  }
  return made;
}

}  // namespace bobbin::translate
