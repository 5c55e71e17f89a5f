// SPDX-License-Identifier: Apache-2.0
#include "task/graph/graph_mode.h"

#include <cstring>

#include "platform/diagnostics.h"
#include "platform/memory.h"
#include "task/create/prepared.h"
#include "task/graph/recording.h"
#include "task/run/execute.h"

namespace bobbin {
namespace {

// Why the task cannot be recorded; null: it can.
const char* obstacle(const Thread& thread, const TaskSpec& spec) {
  if (!spec.rare->replayable)
    return spec.depend.empty() ? nullptr : "dependent tasks that are not replayable";
  if (!spec.deferrable) return "undeferred tasks";
  if (spec.event_handle != nullptr) return "detachable tasks";
  if (spec.rare->impex != Impex::None) return "transparent tasks";
  if (spec.prepared != nullptr && spec.prepared->must_run) {
    return "tasks whose private variables have destructors";
  }
  // LLVM's code makes tasks ahead of their constructs.
  if (spec.prepared != nullptr && thread.task->group->reductions != nullptr) {
    return "a reduction around tasks that LLVM's compilers made";
  }
  return nullptr;
}

}  // namespace

bool GraphMode::collect(Thread& thread, const TaskSpec& spec) {
  if (const char* why = obstacle(thread, spec)) {
    encounter(thread, why);
    return false;
  }
  if (!spec.rare->replayable) return false;
  RecordedTask* recorded = thread.task->group->recording->recorder.add(spec);
  if (recorded == nullptr) {
    encounter(thread, "too many tasks");
    return false;
  }
  void* from = spec.prepared != nullptr ? spec.prepared->data : spec.data;
  if (spec.copy != nullptr) {
    spec.copy(recorded->saved, from);
  } else if (spec.size != 0) {
    memcpy(recorded->saved, from, spec.size);
  }
  if (spec.prepared != nullptr) discard_prepared(thread, spec);
  return true;
}

void GraphMode::encounter(Thread& thread, const char* what) {
  static OnceFlag said;
  warn_once(said, "a taskgraph region with %s is executed each time, and never replayed", what);
  Recording& recording = end_recording(thread);
  execute_at_once(thread, recording.recorder.record());
  recording.graph.state.end_unsuitable();
  destroy(&recording);
}

Task* GraphMode::follow_up(Thread& thread, Task& task) {
  return make_ready_but_last(thread, release_replayed(task));
}

}  // namespace bobbin
