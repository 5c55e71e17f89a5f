// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "task/graph/record.h"

// How a recorded graph is divided into units. A unit is what threads queue and take: one task, or
// several brief ones that were recorded one after the other, which a thread executes in this order.
//
// All edges of the record lead from a task to a later one. So those between units lead from a unit
// to a later one, too, and the graph of the units has no cycle.
namespace bobbin {

struct ReplayUnit {
  uint32_t first;  // task
  uint32_t last;   // the one behind its tasks
  uint32_t predecessors;
  uint32_t first_successor;  // in ReplayPlan::successors, up to that of the next unit

  bool is_single() const { return last == first + 1; }
};

struct ReplayPlan {
  ReplayUnit* units = nullptr;  // units[count] only ends the successors of the last one
  uint32_t count = 0;
  uint32_t* successors = nullptr;

  bool made() const { return successors != nullptr; }
  void free();
};

// How many ticks a unit may take. The longer it is, the less it costs to queue it and to count down
// those that follow, but each thread needs some. A team of one thread needs none, but the next one
// to execute the graph may be larger, so the length is limited. A graph that takes less time than
// it costs to share it is one unit.
uint64_t longest_unit(const uint64_t* durations, uint32_t tasks, unsigned threads);

// A unit takes so many ticks at most, unless it is a single task. `most` is not 0. durations: those
// of the tasks; null: each unit is a single task. Not made(): out of memory.
ReplayPlan make_plan(const TaskRecord& record, const uint64_t* durations, uint64_t most);

}  // namespace bobbin
