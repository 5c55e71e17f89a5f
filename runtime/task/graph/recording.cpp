// SPDX-License-Identifier: Apache-2.0
#include "task/graph/recording.h"

#include "platform/memory.h"
#include "task/create/in_place.h"
#include "task/depend/registration.h"
#include "task/model/promotion.h"
#include "task/wait/depend_wait.h"

namespace bobbin {

bool begin_recording(Thread& thread, Taskgraph& graph, void* surroundings) {
  if (!promote_current(thread)) return false;
  auto* recording = make<Recording>(graph, surroundings);
  if (recording == nullptr) return false;
  Taskgroup& group = *thread.task->group;
  group.recording = recording;
  group.state.fetch_or(kRecording, relaxed);
  thread.withdraw_permits();
  thread.task->collects = true;
  thread.task->children.fetch_add(1, relaxed);
  return true;
}

Recording& end_recording(Thread& thread) {
  Taskgroup& group = *thread.task->group;
  Recording& recording = *group.recording;
  group.state.fetch_and(~kRecording, relaxed);
  group.replay = nullptr;
  thread.task->collects = false;
  thread.task->children.fetch_sub(1, relaxed);
  return recording;
}

// The task does not leave its thread, because it may be in the middle of another construct.
void execute_at_once(Thread& thread, const TaskRecord& record) {
  const TaskExtras* extras = thread.task->extras;
  if (extras != nullptr && extras->table != nullptr) wait_for_all(thread, *extras->table);
  for (uint32_t i = 0; i < record.count; i++) {
    const RecordedTask& task = record.tasks[i];
    if (tasks_cancelled(thread, thread.task->group)) return;
    run_in_place(thread, task.function, task.saved, task.final_task, task.tied);
  }
}

}  // namespace bobbin
