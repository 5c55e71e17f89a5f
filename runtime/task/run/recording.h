// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/taskgroup.h"

// A taskgraph region whose tasks are recorded. It may contain only constructs that make tasks
// (OpenMP 6.0, section 14.3). Where the program does something else that concerns tasks, recording
// ends, and the region is executed as a taskgroup region, this time and later.
//
// While a task records, its tasks do not run, and its `children` is one more than there are. So
// whatever asks whether it has children, also inlined in the program, finds that it has. And the
// state of its group is not zero, so no quick path is taken.
namespace bobbin {

// Is the thread in a task that records? The innermost group of the task is the region's then.
inline bool records(const Thread& thread) { return thread.task->records; }

// Executes what has been recorded so far. `met`: what cannot be recorded. Defined by the code that
// creates tasks, bound when linking.
void stop_recording(Thread& thread, const char* met);

}  // namespace bobbin
