// SPDX-License-Identifier: Apache-2.0
#include "lower/resumable/plan.h"

#include <algorithm>
#include <string_view>

#include "lower/calls/library_functions.h"
#include "lower/calls/part_plan.h"
#include "lower/translation/translation.h"

namespace bobbin::translate {
namespace {

// Frames are aligned to so much.
constexpr size_t kMostAlignment = 16;

// Directives in resumable functions.
bool may_stand(Leaf leaf) {
  return leaf == Leaf::Task || leaf == Leaf::Taskwait || leaf == Leaf::Taskyield ||
         leaf == Leaf::Critical || leaf == Leaf::Atomic || leaf == Leaf::Flush;
}

// Clauses of resumable tasks.
bool may_have(ClauseKind kind) { return is_plain(kind) && kind != ClauseKind::Affinity; }

}  // namespace

ResumablePlan::ResumablePlan(const Translation& translation)
    : translation_(translation),
      graph_(translation),
      tells_threads_(
          graph_,
          [this](const Function& function, Extent extent) { return uses_thread(function, extent); },
          [](std::string_view name) { return !is_same_in_each_thread(name); }) {
  for (size_t i = 0; i < translation.directives.size(); ++i) {
    if (may_be_resumed(i)) tasks_.insert(i);
  }
  for (bool more = true; more;) {
    more = false;
    for (const Function& one : translation.program.functions) {
      if (!functions_.contains(&one) && one.has_prototype && one.name != "main" &&
          keeps_no_stack(one, one.body) && has_resume_point(one)) {
        functions_.insert(&one);
        more = true;
      }
    }
  }
}

const Function* ResumablePlan::resumable_callee(const CallStatement& call) const {
  const Function* callee = graph_.callee(call.function);
  return callee != nullptr && functions_.contains(callee) ? callee : nullptr;
}

bool ResumablePlan::is_in_directive(size_t offset, Extent extent) const {
  const std::vector<size_t> inner = translation_.directives_in(extent);
  return std::any_of(inner.begin(), inner.end(), [&](size_t number) {
    return translation_.extent_of(number).contains(offset);
  });
}

bool ResumablePlan::is_in_task(size_t offset, Extent extent) const {
  const std::vector<size_t> inner = translation_.directives_in(extent);
  return std::any_of(inner.begin(), inner.end(), [&](size_t number) {
    return translation_.directives[number].is(Leaf::Task) &&
           translation_.extent_of(number).contains(offset);
  });
}

std::vector<const Variable*> ResumablePlan::variables_in(Extent extent) const {
  std::vector<const Variable*> found;
  for (const Variable& one : translation_.program.variables) {
    // A parameter of a declarator in there may have no name.
    if (extent.contains(one.declared) && !one.is_global && !one.name.empty() &&
        !is_in_task(one.declared, extent)) {
      found.push_back(&one);
    }
  }
  return found;
}

// An array of variable length whose elements have a constant size.
bool ResumablePlan::is_simple_array(Type type) const {
  const Types& types = translation_.types;
  return types.is_variable_array(type) && !types.is_variable(types.element(type));
}

// The function's variables are in the extent, or the extent's task may capture them.
bool ResumablePlan::keeps_no_stack(const Function& function, Extent extent) const {
  const auto is_inside = [&](size_t offset) { return extent.contains(offset); };
  if (std::any_of(function.obstacles.begin(), function.obstacles.end(), is_inside)) return false;
  const Types& types = translation_.types;
  const auto can_be_member = [&](const Variable& variable) {
    const bool has_size = !types.is_variable(variable.type) || is_simple_array(variable.type);
    return has_size && !types.is_volatile(variable.type) && types.is_assignable(variable.type) &&
           types.unnameable(variable.type).empty() && types.alignment(variable) <= kMostAlignment;
  };
  std::set<const Variable*> variables;
  for (const Reference* one : translation_.references_in(extent)) variables.insert(one->variable);
  for (const Variable& one : translation_.program.variables) {
    if (is_inside(one.declared) && !one.name.empty()) variables.insert(&one);
  }
  for (const Variable* one : variables) {
    if (!one->is_global && (one->is_static || !can_be_member(*one))) return false;
  }
  for (const Variable* one : function.parameters) {
    if (!can_be_member(*one) || one->name.empty()) return false;
  }
  if (function.result != nullptr &&
      (!types.unnameable(function.result).empty() || !types.is_assignable(function.result))) {
    return false;
  }
  for (const size_t number : translation_.directives_in(extent)) {
    const Directive& directive = translation_.directives[number];
    const std::vector<Leaf>& leaves = directive.row->leaves;
    if (leaves.size() != 1 || !may_stand(leaves.front())) return false;
    const Site* site = translation_.site_of(number);
    if (site != nullptr && !directive.is(Leaf::Task) &&
        !translation_.directives_in(site->statement).empty()) {
      return false;
    }
  }
  return true;
}

bool ResumablePlan::may_be_resumed(size_t number) const {
  const Directive& directive = translation_.directives[number];
  if (!directive.is(Leaf::Task)) return false;
  const Site* site = translation_.site_of(number);
  const Function* function = function_around(directive.probe_begin);
  if (site == nullptr || function == nullptr) return false;
  const bool has_others = std::any_of(directive.clauses.begin(), directive.clauses.end(),
                                      [](const Clause& one) { return !may_have(one.kind()); });
  return !has_others && keeps_no_stack(*function, site->statement) &&
         (directive.has(ClauseKind::Untied) || !tells_threads_.of(*function, site->statement));
}

// Itself: what it calls is another question.
bool ResumablePlan::uses_thread(const Function& function, Extent extent) const {
  if (graph_.uses_thread_local(extent) || graph_.calls_pointer(function, extent)) return true;
  for (const size_t number : translation_.directives_in(extent)) {
    for (const Leaf leaf : translation_.directives[number].row->leaves) {
      if (!may_stand(leaf)) return true;
    }
  }
  return false;
}

bool ResumablePlan::has_resume_point(const Function& function) const {
  for (const size_t number : translation_.directives_in(function.body)) {
    const size_t begin = translation_.directives[number].probe_begin;
    if (tasks_.contains(number) && !is_in_task(begin, {function.body.begin, begin})) return true;
  }
  return std::any_of(function.calls.begin(), function.calls.end(), [&](const CallStatement& call) {
    return resumable_callee(call) != nullptr &&
           !is_in_directive(call.statement.begin, function.body);
  });
}

}  // namespace bobbin::translate
