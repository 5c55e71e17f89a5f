// SPDX-License-Identifier: Apache-2.0
// A taskloop whose iterations depend on each other or on other tasks.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lower/data/closure.h"
#include "lower/loops/iteration.h"
#include "lower/tasks/replayable.h"

namespace bobbin::translate {

// What is evaluated once, where the taskloop stands.
struct LoopClauses {
  std::string flags;
  std::string priority;
  std::string division;  // two arguments of bobbin_omp_taskloop_chunk
};

// Makes a task of each chunk of the iterations, which depends on what the task_iteration directives
// say of its iterations.
std::string make_dependent_chunks(Translation& translation,
                                  const std::vector<const Directive*>& directives,
                                  const Iterations& iterations, const Closure& closure,
                                  const Context& context, const LoopClauses& clauses,
                                  const std::function<std::string(const TaskCall&)>& make_tasks);

}  // namespace bobbin::translate
