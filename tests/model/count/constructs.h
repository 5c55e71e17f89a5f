// SPDX-License-Identifier: Apache-2.0
// Constructs of the runtime, executed by teams of many threads on a machine with caches.
#pragma once

#include <array>
#include <string>

#include "model/count/machine.h"

namespace bobbin::count {

// parallel: an empty region, which few workers take part in; parallel_all: one in which each thread
// waits until all have begun. A task has the barrier at which it is executed.
inline constexpr std::array kConstructs = {"parallel", "parallel_all", "barrier", "single",
                                           "dynamic",  "guided",       "task",    "taskwait"};

struct Outcome {
  double path = 0;  // the longest chain of moves, for one execution of the construct
  Counts counts;    // of all executions
  unsigned executions = 0;
};

// The global state of the runtime lives as long as the process, so this is called once in it.
Outcome count(const std::string& construct, unsigned threads);

}  // namespace bobbin::count
