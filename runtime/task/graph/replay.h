// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/depend/ready_tasks.h"
#include "task/graph/plan.h"
#include "task/model/extras.h"
#include "team/model/team.h"

// The execution of a recorded graph of tasks.
//
// Invariants:
//   - A Replay belongs to one execution of its taskgraph region at a time. Its descriptors are
//     those of this execution, and serve the next one as they are. So a replay allocates nothing.
//   - All tasks of an execution and all their descendants are in the taskgroup of the region, which
//     ends before the Replay is given back. So when a descriptor is used again, nobody waits for
//     its children or walks through it to its ancestors. Threads may still be giving back what they
//     hold of `children` and `references`: these counts are never set, only counted up and down.
//   - A descriptor is never freed by its last reference, because the Replay holds one.
namespace bobbin {

struct Replay;
struct Taskgraph;

// What executes a unit. Begins with the task, because a block of the task pool does
// (task/model/constraint.h).
struct ReplayedUnit {
  Task task;
  Replay* replay;
  const ReplayUnit* unit;
  uint64_t duration;  // in ticks, the least so far, while Replay::measures
  alignas(kCacheLine) TaskExtras extras;

  static ReplayedUnit& of(Task& task) { return reinterpret_cast<ReplayedUnit&>(task); }
};

struct Replay {
  Taskgraph* graph;  // whose record it is: graph.h
  const TaskRecord* record;
  const ReplayPlan* plan;
  bool measures;  // how long the units take
  ReplayedUnit** units;
  // Of each unit: see countdown.h. They lie together, because most of what a thread does when it
  // has completed a unit is to count down those of the units that follow.
  Atomic<uint32_t>* blockers;
  char* data;
  // Of the execution under way.
  Task* parent;
  Team* team;
  void* surroundings;
};

// nullptr: out of memory.
Replay* make_replay(Thread& thread, Taskgraph& graph, const TaskRecord& record,
                    const ReplayPlan& plan);
void destroy_replay(Thread& thread, Replay& replay);

// Counts all units of the replay as children of the current task, which is on the heap. Then
// ready(Task&) is called for each unit that follows no other.
void count_replayed(Thread& thread, Replay& replay, void* surroundings);
void prepare_replayed(ReplayedUnit& item);
template <class Ready>
void begin_replay(Thread& thread, Replay& replay, void* surroundings, Ready&& ready) {
  count_replayed(thread, replay, surroundings);
  for (uint32_t i = 0; i < replay.plan->count; i++) {
    if (replay.plan->units[i].predecessors != 0) continue;
    prepare_replayed(*replay.units[i]);
    ready(replay.units[i]->task);
  }
}

// A unit of a replay has completed: those that wait for nothing else any more.
[[nodiscard]] ReadyTasks release_replayed(Task& task);

// The function of a unit's task.
void execute_unit(void* unit);

}  // namespace bobbin
