// SPDX-License-Identifier: Apache-2.0
#include "lower/calls/part_plan.h"

#include <algorithm>
#include <vector>

#include "lower/calls/library_functions.h"
#include "lower/translation/translation.h"

namespace bobbin::translate {
namespace {

// Does the clause of a task only say which data it has, and whether it is executed at once?
bool is_plain(ClauseKind kind) {
  switch (kind) {
    case ClauseKind::If:
    case ClauseKind::Final:
    case ClauseKind::Untied:
    case ClauseKind::Mergeable:
    case ClauseKind::Default:
    case ClauseKind::Shared:
    case ClauseKind::Private:
    case ClauseKind::Firstprivate:
    case ClauseKind::Affinity:
      return true;
    default:
      return false;
  }
}

// Of `atomic`: an update, and how. By the other forms threads can wait for each other.
bool is_update(ClauseKind kind) {
  return kind == ClauseKind::Update || kind == ClauseKind::Hint || kind == ClauseKind::Relaxed ||
         kind == ClauseKind::SeqCst;
}

bool has_only(const Directive& directive, bool (*may_be)(ClauseKind kind)) {
  return std::all_of(directive.clauses.begin(), directive.clauses.end(),
                     [&](const Clause& one) { return may_be(one.kind()); });
}

bool may_stand(const Directive& directive) {
  if (directive.is(Leaf::Task)) {
    return has_only(directive,
                    [](ClauseKind kind) { return is_plain(kind) || kind == ClauseKind::Priority; });
  }
  if (directive.is(Leaf::Atomic)) return has_only(directive, is_update);
  return (directive.is(Leaf::Taskwait) || directive.is(Leaf::Taskgroup)) &&
         directive.clauses.empty();
}

}  // namespace

void Translation::make_parts() { parts = std::make_shared<const PartPlan>(*this); }

PartPlan::PartPlan(const Translation& translation)
    : graph_(translation),
      tells_(
          graph_,
          [this](const Function& function, Extent extent) { return tells(function, extent); },
          [](std::string_view name) { return !is_same_in_each_task(name); }),
      waits_(
          graph_, [this](const Function&, Extent extent) { return waits(extent); },
          [](std::string_view) { return false; }) {}

bool PartPlan::tells(const Function& function, Extent extent) const {
  const Translation& translation = graph_.translation();
  const std::vector<size_t> directives = translation.directives_in(extent);
  return graph_.uses_thread_local(extent) || graph_.calls_pointer(function, extent) ||
         graph_.accesses_volatile(function, extent) ||
         std::any_of(directives.begin(), directives.end(),
                     [&](size_t number) { return !may_stand(translation.directives[number]); });
}

bool PartPlan::waits(Extent extent) const {
  const std::vector<size_t> directives = graph_.translation().directives_in(extent);
  return std::any_of(directives.begin(), directives.end(), [&](size_t number) {
    return graph_.translation().directives[number].is(Leaf::Taskwait);
  });
}

PartPlan::Part PartPlan::part(size_t number) const {
  const Translation& translation = graph_.translation();
  const Directive& directive = translation.directives[number];
  const Site* site = translation.site_of(number);
  const Function* function = graph_.around(directive.probe_begin);
  const bool is_part = directive.is(Leaf::Task) && has_only(directive, is_plain) &&
                       site != nullptr && function != nullptr &&
                       !tells_.of(*function, site->statement);
  if (!is_part) return Part::No;
  return waits_.of(*function, site->statement) ? Part::Waits : Part::Yes;
}

}  // namespace bobbin::translate
