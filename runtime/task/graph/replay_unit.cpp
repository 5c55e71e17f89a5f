// SPDX-License-Identifier: Apache-2.0
// The execution of a unit of a recorded graph.
#include <cstring>

#include "platform/clocks/clock.h"
#include "sched/workers/pool.h"
#include "task/create/in_place.h"
#include "task/graph/replay.h"

namespace bobbin {
namespace {

// Most data are a few words, for which a call would take longer than the copy.
[[gnu::always_inline]] inline void copy_to_stack(char* to, const RecordedTask& task) {
  const auto* from = static_cast<const char*>(task.saved);
  for (size_t i = 0; i < task.size; i += kSavedStep) memcpy(to + i, from + i, kSavedStep);
}

[[gnu::always_inline]] inline void call(void* data, const Replay& replay,
                                        const RecordedTask& task) {
  if (task.relocate != nullptr) task.relocate(data, replay.surroundings);
  task.function(data);
}

// With a copy of the data that were recorded, unless all executions may read these.
void run(const Replay& replay, const RecordedTask& task) {
  if (task.constant) {
    task.function(task.saved);
  } else if (task.on_stack) [[likely]] {
    alignas(kCacheLine) char data[kLargestOnStack];
    copy_to_stack(data, task);
    call(data, replay, task);
  } else {
    const auto number = static_cast<size_t>(&task - replay.record->tasks);
    char* data = replay.data + replay.record->places[number].apart;
    memcpy(data, task.saved, task.size);
    call(data, replay, task);
  }
}

bool are_alike(const RecordedTask& a, const RecordedTask& b) {
  return a.final_task == b.final_task && a.tied == b.tied;
}

// Each task of the unit is a task of its own, executed in place. A descriptor that is as it was
// made serves the next task, too: a task that has children, or ICVs of its own, has moved to
// another descriptor (task/model/promotion.h).
void run_all(const Replay& replay, const ReplayUnit& unit) {
  Thread& thread = self();
  const RecordedTask* recorded = replay.record->tasks + unit.first;
  const RecordedTask* end = replay.record->tasks + unit.last;
  while (recorded != end) {
    if (tasks_cancelled(thread, thread.task->group)) return;
    Task task(*thread.task, recorded->final_task, recorded->tied);
    thread.task = &task;
    const RecordedTask& first = *recorded;
    do {
      run(replay, *recorded++);
    } while (recorded != end && task.extras == nullptr && are_alike(first, *recorded) &&
             !tasks_cancelled(thread, task.group));
    end_in_place(thread, task);
  }
}

}  // namespace

void execute_unit(void* unit) {
  auto& item = *static_cast<ReplayedUnit*>(unit);
  const Replay& replay = *item.replay;
  const uint64_t begin = replay.measures ? ticks() : 0;
  if (item.unit->is_single()) {
    run(replay, replay.record->tasks[item.unit->first]);
  } else {
    run_all(replay, *item.unit);
  }
  if (!replay.measures) return;
  const uint64_t took = ticks() - begin;
  if (took < item.duration) item.duration = took;
}

}  // namespace bobbin
