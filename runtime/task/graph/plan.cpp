// SPDX-License-Identifier: Apache-2.0
#include "task/graph/plan.h"

#include <cstdlib>

#include "platform/clocks/clock.h"
#include "platform/watchers/happens_before.h"

namespace bobbin {
namespace {

constexpr uint32_t kNone = ~uint32_t{0};

// A task with a priority stays alone, so that it has its place in the team's queue, and with
// strands each does.
bool may_join(const TaskRecord& record, const ReplayUnit& unit, uint32_t task) {
  return !has_strands() && record.places[task].priority == 0 &&
         record.places[unit.first].priority == 0;
}

void divide(const TaskRecord& record, const uint64_t* durations, uint64_t most, ReplayPlan& plan,
            uint32_t* unit_of) {
  uint64_t length = 0;
  for (uint32_t i = 0; i < record.count; i++) {
    const uint64_t duration = durations != nullptr && durations[i] < most ? durations[i] : most;
    ReplayUnit* last = plan.count != 0 ? &plan.units[plan.count - 1] : nullptr;
    if (last == nullptr || length + duration > most || !may_join(record, *last, i)) {
      plan.units[plan.count++] = {i, i, 0, 0};
      last = &plan.units[plan.count - 1];
      length = 0;
    }
    length += duration;
    last->last = i + 1;
    unit_of[i] = plan.count - 1;
  }
  plan.units[plan.count] = {record.count, record.count, 0, 0};
}

// visit(from, to) for each two units of which the second has a task that follows one of the first.
template <class Visit>
void for_each_edge(const TaskRecord& record, const ReplayPlan& plan, const uint32_t* unit_of,
                   uint32_t* marks, Visit&& visit) {
  for (uint32_t i = 0; i < plan.count; i++) marks[i] = kNone;
  for (uint32_t from = 0; from < plan.count; from++) {
    const ReplayUnit& unit = plan.units[from];
    const uint32_t end = record.places[unit.last].first_successor;
    for (uint32_t i = record.places[unit.first].first_successor; i < end; i++) {
      const uint32_t to = unit_of[record.successors[i]];
      if (to == from || marks[to] == from) continue;
      marks[to] = from;
      visit(from, to);
    }
  }
}

bool connect(const TaskRecord& record, ReplayPlan& plan, const uint32_t* unit_of, uint32_t* marks) {
  uint32_t edges = 0;
  for_each_edge(record, plan, unit_of, marks, [&](uint32_t from, uint32_t to) {
    plan.units[to].predecessors++;
    plan.units[from + 1].first_successor = ++edges;
  });
  // A unit without successors has where the unit before it ends.
  for (uint32_t i = 1; i <= plan.count; i++) {
    ReplayUnit& unit = plan.units[i];
    if (unit.first_successor == 0) unit.first_successor = plan.units[i - 1].first_successor;
  }
  plan.successors = static_cast<uint32_t*>(malloc((size_t{edges} + 1) * sizeof(uint32_t)));
  if (plan.successors == nullptr) return false;
  edges = 0;
  for_each_edge(record, plan, unit_of, marks,
                [&](uint32_t, uint32_t to) { plan.successors[edges++] = to; });
  return true;
}

}  // namespace

void ReplayPlan::free() {
  ::free(units);
  ::free(successors);
  *this = {};
}

uint64_t longest_unit(const uint64_t* durations, uint32_t tasks, unsigned threads) {
  constexpr uint64_t kLeastUs = 1;
  constexpr uint64_t kMostUs = 4;
  constexpr uint64_t kAloneUs = 8;
  constexpr uint64_t kUnitsAThread = 8;
  const uint64_t most = kMostUs * ticks_per_us();
  if (threads == 1) return most;
  uint64_t all = 0;
  // That of a task that was not executed is not known.
  for (uint32_t i = 0; i < tasks; i++) all += durations[i] < most ? durations[i] : most;
  if (all <= kAloneUs * ticks_per_us()) return kAloneUs * ticks_per_us();
  const uint64_t part = all / (kUnitsAThread * threads);
  const uint64_t least = kLeastUs * ticks_per_us();
  return part < least ? least : part > most ? most : part;
}

ReplayPlan make_plan(const TaskRecord& record, const uint64_t* durations, uint64_t most) {
  ReplayPlan plan;
  const size_t count = record.count;
  plan.units = static_cast<ReplayUnit*>(malloc((count + 1) * sizeof(ReplayUnit)));
  auto* unit_of = static_cast<uint32_t*>(malloc((2 * count + 1) * sizeof(uint32_t)));
  bool made = plan.units != nullptr && unit_of != nullptr;
  if (made) {
    divide(record, durations, most, plan, unit_of);
    made = connect(record, plan, unit_of, unit_of + count);
  }
  ::free(unit_of);
  if (!made) plan.free();
  return plan;
}

}  // namespace bobbin
