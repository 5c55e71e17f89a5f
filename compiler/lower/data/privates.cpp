// SPDX-License-Identifier: Apache-2.0
#include "lower/data/privates.h"

#include <algorithm>

#include "lower/data/captures.h"
#include "lower/data/conditional.h"
#include "lower/loops/iteration.h"

namespace bobbin::translate {
namespace {

// Do the threads of a team execute it together?
bool is_of_team(Leaf leaf) {
  return leaf == Leaf::For || leaf == Leaf::Sections || leaf == Leaf::Scope;
}

std::string copy_array(const std::string& to, const std::string& from, const std::string& array) {
  return "__builtin_memcpy(" + to + ", " + from + ", sizeof " + array + ");\n";
}

}  // namespace

Privates::Privates(Translation& translation, const Construct& construct, const Context& outer)
    : translation_(translation),
      outer_(outer),
      context_(outer),
      statement_(construct.site->statement),
      allocations_(translation, construct.directive, outer, originals_) {
  for (const Extent& part : executed_parts(translation, construct)) {
    for (const Reference* one : translation.references_in(part)) named_.insert(one->variable);
  }
  for (const Variable* one : associated_variables(translation, construct)) named_.insert(one);
  const Directive& directive = construct.directive;
  // With the modifier conditional another mechanism assigns the values.
  std::vector<const Variable*> conditionals;
  for (const Clause& clause : directive.clauses) {
    if (clause.kind() != ClauseKind::Lastprivate) continue;
    for (const Item& item : clause.items) {
      const Variable& variable = translation.variable_of(item);
      if (!is_named(variable)) continue;
      (is_conditional(clause) ? conditionals : lastprivates_).push_back(&variable);
    }
  }
  bool needs_barrier = false;
  for (const Variable* variable : translation.variables_of(directive, ClauseKind::Firstprivate)) {
    const bool is_last =
        std::find(lastprivates_.begin(), lastprivates_.end(), variable) != lastprivates_.end() ||
        std::find(conditionals.begin(), conditionals.end(), variable) != conditionals.end();
    if (!is_named(*variable) || !declared_.insert(variable).second) continue;
    needs_barrier = needs_barrier || (is_last && is_of_team(construct.kind()));
    point_to(*variable);
    const std::string name = text_of(*variable);
    if (translation.types.is_array(variable->type)) {
      declarations_ += declare(*variable) + copy_array(name, original(*variable), name);
    } else {
      declarations_ += declare(*variable, "*" + original(*variable));
    }
  }
  std::vector<const Variable*> finals = lastprivates_;
  finals.insert(finals.end(), conditionals.begin(), conditionals.end());
  for (const Variable* variable : finals) {
    if (!declared_.insert(variable).second) continue;
    point_to(*variable);
    // A value, only because compilers cannot see that another one is assigned first.
    const bool is_scalar = translation.types.is_scalar(variable->type);
    declarations_ += declare(*variable, is_scalar ? "0" : "");
  }
  for (const Variable* variable : translation.variables_of(directive, ClauseKind::Private)) {
    if (is_named(*variable) && declared_.insert(variable).second) {
      declarations_ += declare(*variable);
    }
  }
  reductions_ = reduction_items(translation, directive, outer);
  for (ReductionItem& item : reductions_) {
    const Variable& variable = item.variable();
    item.allocate(allocations_.find(variable));
    declared_.insert(&variable);
    if (!item.is_section()) {
      point_to(variable);
      declarations_ += item.declare("");
      continue;
    }
    for (const ReductionItem::Constant& one : item.constants()) {
      originals_ += one.declaration + " = " + one.value + ";\n";
    }
    const bool is_array = translation.types.is_array(variable.type);
    declarations_ += item.declare("__typeof__(" + outer.text_of(variable) + ") " +
                                  (is_array ? "*" : "") + variable.name);
  }
  for (const ReductionItem& item : inscan_items(translation, directive, outer)) {
    declared_.insert(&item.variable());
    point_to(item.variable());
  }
  for (const Variable* variable : declared_) {
    originals_ += note_use(*variable);
    context_.assigned.erase(variable);
    context_.make_private(*variable);
    if (allocations_.find(*variable) != nullptr) {
      context_.put(*variable, Place::behind(variable->name));
    }
  }
  for (const ReductionItem& item : reductions_) {
    context_.put(item.variable(), item.place());
  }
  // No thread may assign the last value before all have copied the first one.
  if (needs_barrier) {
    declarations_ += "bobbin_omp_barrier(bobbin_omp_workshare_barrier);\n";
  } else if (is_of_team(construct.kind())) {
    declarations_ += await_initialization(reductions_);
  }
  declarations_ += begin_tasks(translation, directive, reductions_);
}

void Privates::add_loop_variable(const Iterations& iterations, const CanonicalLoop& loop) {
  const Variable& variable = loop.variable();
  const bool is_last =
      std::find(lastprivates_.begin(), lastprivates_.end(), &variable) != lastprivates_.end();
  const bool is_listed = is_last || declared_.contains(&variable);
  if (allocations_.find(variable) != nullptr) {
    translation_.refuse(statement_.begin, "'allocate' of the loop variable '" + variable.name +
                                              "' is not supported by bobbin translate");
  }
  context_.make_private(variable);
  if (is_listed || iterations.is_declared_in_head(loop)) return;
  declarations_ += declaration(variable, variable.name) + iterations.attribute() + ";\n";
  if (variable.declared < statement_.begin) originals_ += note_use(variable);
}

std::string Privates::original(const Variable& variable) const {
  return original_of(translation_.names, variable);
}

// Types that have no name here, and array lengths, are those of the variable that it hides.
std::string Privates::declaration(const Variable& variable, const std::string& name) const {
  const Types& types = translation_.types;
  if (types.is_variable(variable.type) || !types.unnameable(variable.type).empty()) {
    return "__typeof__(" + outer_.text_of(variable) + ") " + name + types.attribute(variable);
  }
  return types.declare(variable, name, Types::Const::Drop);
}

std::string Privates::text_of(const Variable& variable) const {
  return allocations_.find(variable) != nullptr ? allocated(variable.name) : variable.name;
}

std::string Privates::declare(const Variable& variable, const std::string& value) const {
  const std::string& name = variable.name;
  const std::string declared = declaration(variable, text_of(variable));
  const Allocation* allocation = allocations_.find(variable);
  if (allocation == nullptr) return declared + (value.empty() ? "" : " = " + value) + ";\n";
  return (translation_.types.is_variable(variable.type)
              ? allocation->declare_computed(declared, name)
              : allocation->declare(declared, name)) +
         "\n" + (value.empty() ? "" : allocated(name) + " = " + value + ";\n");
}

// So that no compiler warns of a variable that only its private copies use.
std::string Privates::note_use(const Variable& variable) const {
  const bool needs_note = !pointed_to_.contains(&variable) && !outer_.places.contains(&variable) &&
                          !variable.is_global && variable.declared >= outer_.outlined_from;
  return needs_note ? translation_.note_of_use(variable) : "";
}

void Privates::point_to(const Variable& variable) {
  const bool is_new = pointed_to_.insert(&variable).second;
  if (!is_new || outer_.place_of(variable).is_behind(original(variable))) return;
  originals_ += "__typeof__(" + outer_.text_of(variable) + ") *const " + original(variable) +
                " = " + outer_.address_of(variable) + ";\n";
}

std::string Privates::assign_last() const {
  std::string text;
  for (const Variable* variable : lastprivates_) text += assign_last(*variable);
  return text;
}

std::string Privates::assign_last(const Variable& variable) const {
  const std::string name = text_of(variable);
  if (translation_.types.is_array(variable.type)) {
    return copy_array(original(variable), name, name);
  }
  return "*" + original(variable) + " = " + name + ";\n";
}

}  // namespace bobbin::translate
