// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/task_spec.h"
#include "task/tuning/duration.h"
#include "task/tuning/limits.h"

// How far the maker of tasks runs ahead of the threads that execute them.
namespace bobbin {

// Only memory limits it: above BOBBIN_TASK_MEMORY the maker executes tasks until the estimate has
// fallen by 30 %, so that it does not go to and fro at the bound.
void keep_memory_bound(Thread& thread);

// A maker of dependent tasks that is far ahead executes ready children instead of making more, if
// they are short. The next tasks are made soon enough, in a cache that the others have not filled.
// Where no other thread takes part, this is how the tasks get done. If no child is ready, the maker
// goes on making tasks, however many there are.
//
// This does not hold for brief tasks, which are dealt with by task/create/depend_at_once.h, nor for
// long ones, which would keep the maker away for long.
inline bool far_ahead(const Thread& thread, const TaskSpec& spec) {
  if (thread.task->children.load(relaxed) < kAmpleAhead) return false;
  const bool far =
      enabled(Heuristic::HelpAhead) && task_durations.worth_taking_part(spec.construct());
  thread.worker->counts.ask(Heuristic::HelpAhead, far);
  return far;
}

void run_some_children(Thread& thread);

}  // namespace bobbin
