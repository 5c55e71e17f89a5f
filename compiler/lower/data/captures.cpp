// SPDX-License-Identifier: Apache-2.0
#include "lower/data/captures.h"

#include <algorithm>
#include <set>
#include <utility>

#include "lower/loops/iteration.h"
#include "lower/loops/task_iteration.h"

namespace bobbin::translate {
namespace {

// A list item of these clauses is not used unless the statement names it.
bool only_names(ClauseKind kind) {
  return kind == ClauseKind::Shared || kind == ClauseKind::Private ||
         kind == ClauseKind::Firstprivate || kind == ClauseKind::Allocate;
}

// The host has the data in its place already.
bool only_maps(ClauseKind kind) {
  return kind == ClauseKind::Map || kind == ClauseKind::To || kind == ClauseKind::From ||
         kind == ClauseKind::IsDevicePtr || kind == ClauseKind::HasDeviceAddr ||
         kind == ClauseKind::UseDevicePtr || kind == ClauseKind::UseDeviceAddr;
}

// Clauses that are evaluated before the function is called.
bool is_evaluated_outside(ClauseKind kind) {
  return kind == ClauseKind::If || kind == ClauseKind::NumThreads || kind == ClauseKind::Severity ||
         kind == ClauseKind::Message || kind == ClauseKind::TaskSchedule ||
         kind == ClauseKind::Transparent || kind == ClauseKind::Final ||
         kind == ClauseKind::Priority || kind == ClauseKind::Depend ||
         kind == ClauseKind::Affinity || kind == ClauseKind::Grainsize ||
         kind == ClauseKind::NumTasks || kind == ClauseKind::Filter || only_names(kind) ||
         only_maps(kind);
}

void add_references(const Translation& translation, Extent extent, std::set<const Variable*>& found,
                    const std::set<size_t>& ignored) {
  for (const Reference* one : translation.references_in(extent)) {
    if (!ignored.contains(one->begin)) found.insert(one->variable);
  }
}

// visit(Extent) for each part of the item that is an expression.
template <class Visit>
void each_part(const Item& item, Visit&& visit) {
  const auto visit_span = [&](const Span& span) {
    visit(Extent{span.probe_begin, span.probe_end});
  };
  visit_span(item.base);
  for (const Item::Section& section : item.sections) {
    if (section.lower) visit_span(*section.lower);
    if (section.length) visit_span(*section.length);
  }
}

void add_item(const Translation& translation, const Item& item, std::set<const Variable*>& found,
              const std::set<size_t>& ignored) {
  each_part(item, [&](Extent part) { add_references(translation, part, found, ignored); });
}

void ignore(const Translation& translation, const Item& item, std::set<size_t>& ignored) {
  each_part(item, [&](Extent part) {
    for (const Reference* one : translation.references_in(part)) ignored.insert(one->begin);
  });
}

// What names variables of outer loops, so that it must be evaluated in these.
std::vector<Extent> dependent_bounds(const Translation& translation, const std::vector<Loop>& loops,
                                     size_t depth) {
  std::vector<Extent> found;
  for (size_t i = 1; i < depth; ++i) {
    const std::vector<Extent> parts = {loops[i].lower, loops[i].bound, loops[i].step};
    const bool depends = std::any_of(parts.begin(), parts.end(), [&](Extent part) {
      const std::vector<const Reference*> names = translation.references_in(part);
      return std::any_of(names.begin(), names.end(), [&](const Reference* one) {
        return std::any_of(loops.begin(), loops.begin() + static_cast<std::ptrdiff_t>(i),
                           [&](const Loop& outer) { return one->variable == outer.variable; });
      });
    });
    if (depends) found.insert(found.end(), parts.begin(), parts.end());
  }
  return found;
}

}  // namespace

std::vector<PrivateInside> private_inside(const Translation& translation,
                                          const Construct& construct) {
  std::vector<PrivateInside> found;
  const auto add = [&](const Construct& one) {
    std::vector<const Variable*> variables =
        translation.variables_of(one.directive, ClauseKind::Private);
    const std::vector<const Variable*> lastprivates =
        translation.variables_of(one.directive, ClauseKind::Lastprivate);
    std::vector<const Variable*> loop_variables;
    if (takes_loops(one.kind())) loop_variables = associated_variables(translation, one);
    for (const Variable* variable : loop_variables) {
      if (std::find(lastprivates.begin(), lastprivates.end(), variable) == lastprivates.end()) {
        variables.push_back(variable);
      }
    }
    for (const Variable* variable : variables) {
      if (!translation.types.is_variable(variable->type)) {
        found.push_back({one.site->statement, variable});
      }
    }
  };
  for (size_t leaf = construct.leaf + 1; leaf < construct.leaves().size(); ++leaf) {
    add({construct.whole, construct.site, leaf});
  }
  for (const size_t number : translation.directives_in(construct.site->statement)) {
    const Site* site = translation.site_of(number);
    if (site == nullptr) continue;
    const Directive& directive = translation.directives[number];
    for (size_t leaf = 0; leaf < directive.row->leaves.size(); ++leaf) {
      add({directive, site, leaf});
    }
  }
  return found;
}

namespace {

// Its statement becomes a function.
bool is_outlined(Leaf leaf) {
  return leaf == Leaf::Parallel || leaf == Leaf::Teams || leaf == Leaf::Target ||
         leaf == Leaf::Task || leaf == Leaf::Taskloop;
}

void add_declared_anew(const Translation& translation, const Directive& directive,
                       std::set<const Variable*>& found) {
  for (const Clause& clause : directive.clauses) {
    const ClauseKind kind = clause.kind();
    if (!makes_copies(kind) && kind != ClauseKind::Linear && kind != ClauseKind::Induction)
      continue;
    for (const Item& item : clause.items) {
      const Variable* variable =
          item.sections.empty() ? translation.variable_at(item.base) : nullptr;
      if (variable != nullptr && !translation.types.is_variable(variable->type)) {
        found.insert(variable);
      }
    }
  }
}

}  // namespace

std::set<const Variable*> declared_anew(const Translation& translation,
                                        const Construct& construct) {
  std::set<const Variable*> found;
  const std::vector<Leaf>& leaves = construct.leaves();
  for (size_t leaf = construct.leaf + 1; leaf < leaves.size(); ++leaf) {
    if (is_outlined(leaves[leaf])) return found;
    add_declared_anew(translation, Construct(construct.whole, construct.site, leaf).directive,
                      found);
  }
  size_t end = 0;  // of the last construct that is a function
  for (const size_t number : translation.directives_in(construct.site->statement)) {
    const Directive& one = translation.directives[number];
    if (one.probe_begin < end || one.row->leaves.empty()) continue;
    if (is_outlined(one.row->leaves.front())) {
      end = translation.extent_of(number).end;
    } else {
      add_declared_anew(translation, one, found);
    }
  }
  return found;
}

std::vector<Extent> executed_parts(const Translation& translation, const Construct& construct) {
  const std::vector<Loop>& loops = construct.site->loops;
  const size_t depth = construct.directive.collapse;
  if (!takes_loops(construct.leaves().back()) || loops.size() < depth) {
    return {construct.site->statement};
  }
  std::vector<Extent> parts = dependent_bounds(translation, loops, depth);
  parts.push_back(loops[depth - 1].body);
  for (size_t i = 0; i + 1 < depth; ++i) {
    parts.push_back(loops[i].before);
    parts.push_back(loops[i].behind);
  }
  return parts;
}

std::vector<const Variable*> captured_by(const Translation& translation, const Construct& construct,
                                         const Context& context) {
  const Extent statement = construct.site->statement;
  std::set<size_t> ignored;
  for (const size_t number : translation.directives_in(statement)) {
    for (const Clause& clause : translation.directives[number].clauses) {
      if (only_maps(clause.kind())) {
        for (const Item& item : clause.items) ignore(translation, item, ignored);
      }
      if (!only_names(clause.kind())) continue;
      for (const Item& item : clause.items) {
        const Variable* variable = translation.variable_at(item.base);
        if (variable != nullptr && !translation.types.is_variable(variable->type)) {
          ignored.insert(item.base.probe_begin);
        }
      }
    }
  }
  // Evaluated where the tasks are made.
  if (construct.kind() == Leaf::Taskloop) {
    for (const Directive* one : task_iterations_of(translation, construct)) {
      for (const Reference* reference :
           translation.references_in({one->probe_begin, one->probe_end})) {
        ignored.insert(reference->begin);
      }
    }
  }
  for (const PrivateInside& one : private_inside(translation, construct)) {
    for (const Reference* reference : translation.references_in(one.extent)) {
      if (reference->variable == one.variable) ignored.insert(reference->begin);
    }
  }
  // The bounds are evaluated before a taskloop makes tasks, or distribute a region of a chunk.
  const bool is_divided = construct.kind() == Leaf::Taskloop || context.chunk != nullptr;
  std::set<const Variable*> named;
  for (const Extent& part :
       is_divided ? executed_parts(translation, construct) : std::vector<Extent>{statement}) {
    add_references(translation, part, named, ignored);
  }
  for (const Clause& clause : construct.directive.clauses) {
    if (is_evaluated_outside(clause.kind())) continue;
    for (const Item& item : clause.items) {
      if (clause.kind() == ClauseKind::Lastprivate || clause.kind() == ClauseKind::Reduction ||
          clause.kind() == ClauseKind::InReduction || clause.kind() == ClauseKind::Linear ||
          clause.kind() == ClauseKind::Induction) {
        add_references(translation, {item.base.probe_begin, item.base.probe_end}, named, ignored);
      }
    }
  }
  for (size_t inner = construct.leaf + 1; inner < construct.whole.parts.size(); ++inner) {
    for (const Clause& clause : construct.whole.parts[inner].clauses) {
      if (clause.expression) {
        add_references(translation, {clause.expression->probe_begin, clause.expression->probe_end},
                       named, ignored);
      }
      if (only_names(clause.kind()) || only_maps(clause.kind())) continue;
      for (const Item& item : clause.items) add_item(translation, item, named, ignored);
    }
  }
  // Also variables that are known to the whole file, if a clause gives them another meaning.
  std::set<const Variable*> listed;
  for (const Clause& clause : construct.directive.clauses) {
    // depend(out: a) says nothing of a.
    const ClauseKind kind = clause.kind();
    if (is_evaluated_outside(kind) && !only_names(kind) && !only_maps(kind)) continue;
    for (const Item& item : clause.items) {
      const Variable* variable = translation.base_of(item);
      if (variable != nullptr) listed.insert(variable);
    }
  }
  std::vector<const Variable*> found;
  for (const Variable* variable : named) {
    const bool is_inside =
        variable->declared >= statement.begin && variable->declared < statement.end;
    // A target region may have copies of the others, too.
    const bool is_needed = context.is_local(*variable) || listed.contains(variable) ||
                           construct.kind() == Leaf::Target;
    if (!is_inside && is_needed) {
      found.push_back(variable);
    }
  }
  std::sort(found.begin(), found.end(), [](const Variable* a, const Variable* b) {
    return std::pair(a->declared, a->named) < std::pair(b->declared, b->named);
  });
  return found;
}

}  // namespace bobbin::translate
