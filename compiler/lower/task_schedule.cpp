// SPDX-License-Identifier: Apache-2.0
#include "lower/task_schedule.h"

namespace bobbin::translate {
namespace {

struct Schedule {
  std::string modifier;
  std::vector<std::string> items;
};

Schedule schedule_of(Translation& translation, const Clause& clause, const Context& context) {
  Schedule schedule;
  if (!clause.modifiers.empty()) schedule.modifier = clause.modifiers.front();
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
    throw Refusal{clause->at, "expected 'ompx_task_schedule(policy: text)'"};
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
                "expected 'ompx_task_schedule(policy: text)' or 'ompx_task_schedule(scheduler: "
                "address, argument)'"};
}

}  // namespace bobbin::translate
