// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/task_spec.h"
#include "task/tuning/duration.h"

// How far the maker of tasks looks ahead of those who execute them.
namespace bobbin {

// Only memory stops the look-ahead: above BOBBIN_TASK_MEMORY the maker helps until it has fallen by
// 30 %, so that it does not go to and fro at the edge.
void keep_memory_bound(Thread& thread);

// Whoever makes dependent tasks has looked far ahead when so many of them have not ended. Then, as
// long as there are ready ones that are short, it executes those instead of making more. The next
// ones are made soon enough, in a cache that the others have not filled; and where nobody else
// takes part, this is how the tasks get done. Nothing ready: it goes on making, however many there
// are.
inline constexpr uint32_t kAmpleAhead = 1024;  // measured alike from 256 to 2048
inline constexpr uint32_t kAheadEnough = 768;

// Not where tasks are so brief that they are seen off in another way
// (task/create/depend_at_once.cpp), and not where its thread would be away for long.
inline bool far_ahead(const Thread& thread, const TaskSpec& spec) {
  return thread.task->children.load(relaxed) >= kAmpleAhead &&
         task_durations.worth_taking_part(spec.construct());
}

void run_some_children(Thread& thread);

}  // namespace bobbin
