// SPDX-License-Identifier: Apache-2.0
#include "lower/tasks/task_schedule.h"

#include <algorithm>
#include <iterator>

namespace bobbin::translate {
namespace {

// What a program may say of its tasks, and the policy that suits it (docs/translate.md). Each
// policy names creation and cutoff, so that it counts within a region that has another one.
struct Hint {
  const char* word;
  const char* policy;
};
constexpr Hint kHints[] = {
    {"balanced", "creation=work-first,cutoff=none"},
    {"unbalanced", "creation=adaptive,cutoff=none"},
    {"concurrent", "creation=breadth-first,cutoff=none"},
};

struct Schedule {
  std::string modifier;
  std::vector<std::string> items;
};

std::string policy_for(const Translation& translation, const Clause& clause) {
  std::string word;
  for (const Item& item : clause.items) {
    word += (word.empty() ? "" : ", ") +
            translation.source.text().substr(item.base.begin, item.base.end - item.base.begin);
  }
  const auto* found = std::find_if(std::begin(kHints), std::end(kHints),
                                   [&](const Hint& one) { return one.word == word; });
  if (found != std::end(kHints)) return "\"" + std::string(found->policy) + "\"";
  std::string known;
  for (const Hint& one : kHints) {
    known += (known.empty() ? "'" : ", '") + std::string(one.word) + "'";
  }
  throw Refusal{clause.at,
                "unknown hint '" + word + "' of 'ompx_task_schedule', which knows " + known};
}

// A hint is a policy by another name.
Schedule schedule_of(Translation& translation, const Clause& clause, const Context& context) {
  Schedule schedule;
  if (!clause.modifiers.empty()) schedule.modifier = clause.modifiers.front();
  if (schedule.modifier == "hint") return {"policy", {policy_for(translation, clause)}};
  for (const Item& item : clause.items) {
    schedule.items.push_back(translation.render_span(item.base, context));
  }
  return schedule;
}

}  // namespace

std::string task_policy(Translation& translation, const Directive& directive,
                        const Context& context) {
  const Clause* clause = directive.find(ClauseKind::TaskSchedule);
  if (clause == nullptr) return "";
  const Schedule schedule = schedule_of(translation, *clause, context);
  if (schedule.modifier != "policy" || schedule.items.size() != 1) {
    throw Refusal{
        clause->at,
        "expected 'ompx_task_schedule(policy: text)' or 'ompx_task_schedule(hint: word)'"};
  }
  return schedule.items.front();
}

std::string begin_task_schedule(Translation& translation, const Directive& directive,
                                const Context& context) {
  const Clause* clause = directive.find(ClauseKind::TaskSchedule);
  if (clause == nullptr) return "";
  const Schedule schedule = schedule_of(translation, *clause, context);
  const std::vector<std::string>& items = schedule.items;
  if (schedule.modifier == "policy" && items.size() == 1) {
    return "bobbin_omp_taskgroup_policy(" + items[0] + ");\n";
  }
  if (schedule.modifier == "scheduler" && items.size() <= 2) {
    return "bobbin_omp_taskgroup_scheduler(" + items[0] + ", " +
           (items.size() == 2 ? items[1] : "(void *)0") + ");\n";
  }
  throw Refusal{clause->at,
                "expected 'ompx_task_schedule(policy: text)', 'ompx_task_schedule(hint: word)' or "
                "'ompx_task_schedule(scheduler: address, argument)'"};
}

}  // namespace bobbin::translate
