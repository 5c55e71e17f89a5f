// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "team/model/thread.h"

namespace bobbin {

// How the iterations of a taskloop are divided among its tasks (section 12.6): `tasks` chunks of
// consecutive iterations. The first `longer` of them have one iteration more than `length`. With
// the strict modifier of grainsize all have `length`, except the last one, which has the rest.
struct LoopDivision {
  uint64_t iterations;
  uint64_t tasks;
  uint64_t length;
  uint64_t longer;

  // The first iteration of a chunk; the end of the last one for `chunk == tasks`.
  uint64_t begin_of(uint64_t chunk) const {
    if (chunk >= tasks) return iterations;
    return chunk * length + (chunk < longer ? chunk : longer);
  }
};

// For at least one iteration. A grainsize or a number of tasks of 0 counts as 1.
LoopDivision divide_by_grainsize(uint64_t iterations, uint64_t grainsize, bool strict);
LoopDivision divide_by_tasks(uint64_t iterations, uint64_t tasks);
// Without either clause, for a team of this size.
LoopDivision divide_for_team(uint64_t iterations, unsigned threads);

// A taskloop construct as a compiler's code describes it, without the taskgroup around it. `data`
// begins with two words that tell a task its first iteration value and the end.
struct Taskloop {
  void (*function)(void*) = nullptr;
  void* data = nullptr;
  void (*copy)(void*, void*) = nullptr;  // constructs a task's data from `data`; null: bytewise
  size_t size = 0;
  size_t alignment = 1;
  uint64_t start = 0;  // values of the loop variable, modulo 2^64 whatever its type
  uint64_t end = 0;
  uint64_t step = 1;
  LoopDivision division{};
  bool deferrable = true;  // if clause
  bool final_task = false;
  bool tied = true;
  bool mergeable = false;  // for tools only
  int priority = 0;
  bool for_pool = false;    // threadset(omp_pool)
  bool replayable = false;  // as TaskSpec has these three
  bool constant_data = false;
  void (*relocate)(void* data, void* surroundings) = nullptr;
};

void run_taskloop(Thread& thread, const Taskloop& loop);

}  // namespace bobbin
