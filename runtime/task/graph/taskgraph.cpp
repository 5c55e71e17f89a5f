// SPDX-License-Identifier: Apache-2.0
#include "task/graph/taskgraph.h"

#include "platform/memory.h"
#include "task/graph/graph_mode.h"
#include "task/graph/recording.h"
#include "task/model/promotion.h"
#include "task/run/execute.h"
#include "task/wait/depend_wait.h"
#include "tool/events.h"

namespace bobbin {
namespace {

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

bool replay(Thread& thread, Taskgraph& graph, void* surroundings) {
  Replay* replay = promote_current(thread) ? graph.take(thread) : nullptr;
  if (replay == nullptr) return false;
  launch(thread, *replay, surroundings);
  return true;
}

}  // namespace

bool taskgraph_begin(Thread& thread, Atomic<Taskgraph*>& graphs, const TaskgraphClauses& clauses,
                     void* surroundings) {
  taskgroup_begin(thread);
  thread.task->group->replay = nullptr;
  if (!clauses.enabled || !suits(thread, clauses)) return true;
  Taskgraph* graph = graph_of(graphs, clauses.id);
  if (graph == nullptr || begin_mode<GraphMode>(*thread.member->team) == nullptr) return true;
  switch (graph->state.enter(clauses.reset)) {
    case GraphState::Part::Execute:
      return true;
    case GraphState::Part::Record:
      graph->discard(thread);
      if (!begin_recording(thread, *graph, surroundings)) graph->state.end_empty();
      return true;
    case GraphState::Part::Replay:
      break;
  }
  if (replay(thread, *graph, surroundings)) return false;
  graph->leave(thread, nullptr);
  return true;
}

Thread& taskgraph_launch(Thread& thread) {
  if (!thread.task->collects) return thread;
  Recording& recording = end_recording(thread);
  Taskgraph& graph = recording.graph;
  void* surroundings = recording.surroundings;
  graph.record = recording.recorder.finish();
  destroy(&recording);
  Replay* replay = graph.begin_first(thread);
  if (replay == nullptr) {  // out of memory
    execute_at_once(thread, graph.record);
    graph.discard(thread);
    graph.state.end_empty();
    return thread;
  }
  graph.state.end_as_user();
  return launch(thread, *replay, surroundings);
}

void taskgraph_leave(Replay* replay) { replay->graph->leave(self(), replay); }

}  // namespace bobbin
