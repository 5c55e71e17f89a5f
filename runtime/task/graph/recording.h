// SPDX-License-Identifier: Apache-2.0
// The recording of a taskgraph region. It may contain only constructs that make tasks (OpenMP 6.0,
// section 14.3). Where the program does something else that concerns tasks, recording ends, and the
// region is executed as a taskgroup region, this time and later.
//
// While a task records, its tasks do not run, and its `children` is one more than there are. So
// whatever asks whether it has children, also inlined in the program, finds that it has. And the
// state of its group is not zero, so no quick path is taken.
#pragma once

#include "task/graph/graph.h"

namespace bobbin {

struct Recording {
  Recording(Taskgraph& the_graph, void* around) : graph(the_graph), surroundings(around) {}

  Taskgraph& graph;
  void* surroundings;
  TaskRecorder recorder;
};

// The current task's innermost group is the region's. It holds the graph. False: out of memory.
bool begin_recording(Thread& thread, Taskgraph& graph, void* surroundings);
// The caller destroys it.
Recording& end_recording(Thread& thread);

// Executes the tasks after all that they may depend on, in the order in which they were recorded.
void execute_at_once(Thread& thread, const TaskRecord& record);

}  // namespace bobbin
