// SPDX-License-Identifier: Apache-2.0
#include "task/create/taskgraph.h"

#include <cstdlib>
#include <cstring>

#include "platform/diagnostics.h"
#include "platform/memory.h"
#include "task/create/in_place.h"
#include "task/create/prepared.h"
#include "task/depend/registration.h"
#include "task/depend/replay.h"
#include "task/model/promotion.h"
#include "task/run/depend_wait.h"
#include "task/run/execute.h"
#include "tool/events.h"

namespace bobbin {

// The graph of one construct and identifier. It is never freed.
struct Taskgraph {
  // In `state`: nothing, or one of the first three, and with kReady how many replays are under way.
  static constexpr uint32_t kReady = 1u << 31;
  static constexpr uint32_t kHeld = 1u << 30;        // by the one that records it or discards it
  static constexpr uint32_t kUnsuitable = 1u << 29;  // the region cannot be recorded
  static constexpr uint32_t kStale = 1u << 28;  // with kReady: the last one to leave discards it
  static constexpr uint32_t kUsers = kStale - 1;
  static constexpr unsigned kMostIdle = 4;

  enum class Part : uint8_t { Record, Replay, Execute };

  // Decides what the caller does with the region. The state is entered: Record must be followed by
  // settle(), Replay by leave().
  Part enter(Thread& thread, bool reset);
  void settle(uint32_t result) { state.store(result, release); }
  void leave(Thread& thread);
  // For the only user. False: there are others.
  bool hold_alone();

  // The replay has measured the units and has ended. The caller holds the graph, which is ready
  // then.
  void end_measured(Thread& thread, Replay& replay);
  Replay* take(Thread& thread);
  void give(Thread& thread, Replay& replay);
  void discard(Thread& thread);
  void discard_replays(Thread& thread);

  uint64_t id = 0;
  Taskgraph* next = nullptr;
  // The one that holds the graph alone has access to `record`. Users read it: release at settle(),
  // acquire at enter().
  Atomic<uint32_t> state{0};
  TaskRecord record;
  ReplayPlan plan;
  bool measures = true;
  unsigned measured = 0;  // how many executions have been measured
  Atomic<Replay*> idle[kMostIdle] = {};

 private:
  uint64_t* durations_in(const Replay& replay) const;
  bool divide(Thread& thread, Replay& replay);
};

struct Recording {
  Recording(Taskgraph& the_graph, void* around) : graph(the_graph), surroundings(around) {}

  Taskgraph& graph;
  void* surroundings;
  TaskRecorder recorder;
};

namespace {

Taskgraph* graph_of(Atomic<Taskgraph*>& graphs, uint64_t id) {
  Taskgraph* first = graphs.load(acquire);
  for (Taskgraph* graph = first; graph != nullptr; graph = graph->next) {
    if (graph->id == id) return graph;
  }
  auto* made = make<Taskgraph>();
  if (made == nullptr) return nullptr;
  made->id = id;
  made->next = first;
  while (!graphs.compare_exchange_weak(made->next, made, acq_rel, acquire)) {
    for (Taskgraph* graph = made->next; graph != first; graph = graph->next) {
      if (graph->id != id) continue;
      destroy(made);
      return graph;
    }
    first = made->next;
  }
  return made;
}

// May the tasks of a region that begins now be recorded or replayed? A tool is told of tasks as
// they are created.
bool suits(const Thread& thread, const TaskgraphClauses& clauses) {
  const Task& task = *thread.task;
  return !tool::watched && !task.final_task &&
         (clauses.finds_copies || task.group->reductions == nullptr) &&
         !tasks_cancelled(thread, task.group);
}

constexpr Dependence kEverything[] = {{0, DependKind::Out}};

// The current task's group is the region's.
Thread& launch(Thread& thread, Replay& replay, void* surroundings) {
  Thread& now = wait_for_dependences(thread, {kEverything, 1});
  now.task->group->replay = &replay;
  begin_replay(now, replay, surroundings, [&](Task& task) { make_ready(now, task); });
  return now;
}

Recording& end_recording(Thread& thread) {
  Taskgroup& group = *thread.task->group;
  Recording& recording = *group.recording;
  group.state.fetch_and(~kRecording, relaxed);
  group.replay = nullptr;
  thread.task->records = false;
  thread.task->children.fetch_sub(1, relaxed);
  return recording;
}

// After all tasks that they may depend on, in the order in which they were recorded. The task does
// not leave its thread, because it may be in the middle of another construct.
void execute_at_once(Thread& thread, const TaskRecord& record) {
  const TaskExtras* extras = thread.task->extras;
  if (extras != nullptr && extras->table != nullptr) wait_for_all(thread, *extras->table);
  for (uint32_t i = 0; i < record.count; i++) {
    const RecordedTask& task = record.tasks[i];
    if (tasks_cancelled(thread, thread.task->group)) return;
    run_in_place(thread, task.function, task.saved, task.final_task, task.tied);
  }
}

bool begin_recording(Thread& thread, Taskgraph& graph, void* surroundings) {
  if (!promote_current(thread)) return false;
  auto* recording = make<Recording>(graph, surroundings);
  if (recording == nullptr) return false;
  Taskgroup& group = *thread.task->group;
  group.recording = recording;
  group.state.fetch_or(kRecording, relaxed);
  thread.task->records = true;
  thread.task->children.fetch_add(1, relaxed);
  return true;
}

bool replay(Thread& thread, Taskgraph& graph, void* surroundings) {
  Replay* replay = promote_current(thread) ? graph.take(thread) : nullptr;
  if (replay == nullptr) return false;
  launch(thread, *replay, surroundings);
  return true;
}

}  // namespace

Taskgraph::Part Taskgraph::enter(Thread& thread, bool reset) {
  uint32_t before = state.load(acquire);
  while (true) {
    uint32_t after = before;
    Part part = Part::Execute;
    const bool in_use = (before & kUsers) != 0;
    if (before == 0 || (reset && (before & kHeld) == 0 && !in_use)) {
      after = kHeld;
      part = Part::Record;
    } else if ((before & kReady) != 0 && reset) {
      after = before | kStale;
    } else if ((before & (kReady | kStale)) == kReady) {
      after = before + 1;
      part = Part::Replay;
    }
    if (!state.compare_exchange_weak(before, after, acq_rel, acquire)) continue;
    if (part == Part::Record) discard(thread);
    return part;
  }
}

void Taskgraph::leave(Thread& thread) {
  uint32_t before = state.load(relaxed);
  while (true) {
    const bool last = (before & kUsers) == 1 && (before & kStale) != 0;
    const uint32_t after = last ? kHeld : before - 1;
    if (!state.compare_exchange_weak(before, after, acq_rel, relaxed)) continue;
    if (!last) return;
    discard(thread);
    settle(0);
    return;
  }
}

bool Taskgraph::hold_alone() {
  uint32_t only = kReady | 1;
  return state.compare_exchange_strong(only, kHeld, acq_rel, relaxed);
}

// How long each task of the replay took. nullptr: out of memory.
uint64_t* Taskgraph::durations_in(const Replay& replay) const {
  auto* durations = static_cast<uint64_t*>(calloc(size_t{record.count} + 1, sizeof(uint64_t)));
  if (durations == nullptr) return nullptr;
  for (uint32_t i = 0; i < plan.count; i++) {
    const ReplayUnit& unit = plan.units[i];
    const uint64_t duration = replay.units[i]->duration / (unit.last - unit.first);
    for (uint32_t task = unit.first; task < unit.last; task++) durations[task] = duration;
  }
  return durations;
}

// A brief task takes less time than it costs to queue it. In a unit tasks also take less time than
// alone, because they find more in the caches. So the graph is divided again until little changes.
bool Taskgraph::divide(Thread& thread, Replay& replay) {
  uint64_t* durations = durations_in(replay);
  ReplayPlan divided;
  if (durations != nullptr) {
    const uint64_t most = longest_unit(durations, record.count, thread.member->team->size);
    divided = make_plan(record, durations, most);
  }
  free(durations);
  if (!divided.made() || divided.count >= plan.count) {
    divided.free();
    measures = false;
    return false;
  }
  measures = divided.count < plan.count - plan.count / 4;
  discard_replays(thread);
  destroy_replay(thread, replay);
  plan.free();
  plan = divided;
  return true;
}

void Taskgraph::end_measured(Thread& thread, Replay& replay) {
  constexpr unsigned kExecutions = 2;  // the first one finds nothing in the caches
  const bool enough = ++measured % kExecutions == 0;
  if (!enough || !divide(thread, replay)) {
    replay.measures = measures;
    give(thread, replay);
  }
  settle(kReady);
}

Replay* Taskgraph::take(Thread& thread) {
  for (Atomic<Replay*>& slot : idle) {
    if (slot.load(relaxed) == nullptr) continue;
    if (Replay* replay = slot.exchange(nullptr, acquire)) return replay;
  }
  Replay* made = make_replay(thread, *this, record, plan);
  if (made != nullptr) made->measures = measures;
  return made;
}

void Taskgraph::give(Thread& thread, Replay& replay) {
  for (Atomic<Replay*>& slot : idle) {
    Replay* expected = nullptr;
    if (slot.load(relaxed) == nullptr &&
        slot.compare_exchange_strong(expected, &replay, release, relaxed)) {
      return;
    }
  }
  destroy_replay(thread, replay);
}

void Taskgraph::discard_replays(Thread& thread) {
  for (Atomic<Replay*>& slot : idle) {
    if (Replay* replay = slot.exchange(nullptr, acquire)) destroy_replay(thread, *replay);
  }
}

void Taskgraph::discard(Thread& thread) {
  discard_replays(thread);
  plan.free();
  record.free();
  measures = true;
  measured = 0;
}

bool taskgraph_begin(Thread& thread, Atomic<Taskgraph*>& graphs, const TaskgraphClauses& clauses,
                     void* surroundings) {
  taskgroup_begin(thread);
  thread.task->group->replay = nullptr;
  if (!clauses.enabled || !suits(thread, clauses)) return true;
  Taskgraph* graph = graph_of(graphs, clauses.id);
  if (graph == nullptr) return true;
  switch (graph->enter(thread, clauses.reset)) {
    case Taskgraph::Part::Execute:
      return true;
    case Taskgraph::Part::Record:
      if (!begin_recording(thread, *graph, surroundings)) graph->settle(0);
      return true;
    case Taskgraph::Part::Replay:
      break;
  }
  if (replay(thread, *graph, surroundings)) return false;
  graph->leave(thread);
  return true;
}

Thread& taskgraph_launch(Thread& thread) {
  if (!records(thread)) return thread;
  Recording& recording = end_recording(thread);
  Taskgraph& graph = recording.graph;
  void* surroundings = recording.surroundings;
  graph.record = recording.recorder.finish();
  destroy(&recording);
  if (graph.record.successors != nullptr) graph.plan = make_plan(graph.record, nullptr, 1);
  Replay* replay =
      graph.plan.made() ? make_replay(thread, graph, graph.record, graph.plan) : nullptr;
  if (replay == nullptr) {  // out of memory
    execute_at_once(thread, graph.record);
    graph.discard(thread);
    graph.settle(0);
    return thread;
  }
  replay->measures = true;
  graph.settle(Taskgraph::kReady | 1);
  return launch(thread, *replay, surroundings);
}

void taskgraph_leave(Replay* replay) {
  Thread& thread = self();
  Taskgraph& graph = *replay->graph;
  if (replay->measures && graph.hold_alone()) {
    graph.end_measured(thread, *replay);
    return;
  }
  graph.give(thread, *replay);
  graph.leave(thread);
}

void stop_recording(Thread& thread, const char* met) {
  static OnceFlag said;
  warn_once(said, "a taskgraph region with %s is executed each time, and never replayed", met);
  Recording& recording = end_recording(thread);
  execute_at_once(thread, recording.recorder.record());
  recording.graph.settle(Taskgraph::kUnsuitable);
  destroy(&recording);
}

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

bool record_task(Thread& thread, const TaskSpec& spec) {
  if (const char* why = obstacle(thread, spec)) {
    stop_recording(thread, why);
    return false;
  }
  if (!spec.rare->replayable) return false;
  Recording& recording = *thread.task->group->recording;
  RecordedTask* recorded = recording.recorder.add(spec);
  if (recorded == nullptr) {
    stop_recording(thread, "too many tasks");
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

}  // namespace bobbin
