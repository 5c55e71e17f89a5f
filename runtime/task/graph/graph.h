// SPDX-License-Identifier: Apache-2.0
// The graph of one taskgraph construct and identifier: its record, how that is divided into units,
// and the replays of it that are idle. It is never freed.
#pragma once

#include "task/graph/graph_state.h"
#include "task/graph/plan.h"
#include "task/graph/record.h"
#include "task/graph/replay.h"

namespace bobbin {

struct Taskgraph {
  static constexpr unsigned kMostIdle = 4;

  explicit Taskgraph(uint64_t its_id) : id(its_id) {}

  // A user leaves. Its replay has ended; nullptr: it had none.
  void leave(Thread& thread, Replay* replay);
  // A replay for a user of the graph. nullptr: out of memory.
  Replay* take(Thread& thread);
  // The holder has recorded the graph. Returns the first replay, which measures the units. nullptr:
  // out of memory.
  Replay* begin_first(Thread& thread);
  void discard(Thread& thread);

  const uint64_t id;
  Taskgraph* next = nullptr;
  GraphState state;
  // As `state` allows.
  TaskRecord record;
  ReplayPlan plan;
  bool measures = true;
  unsigned measured = 0;  // how many executions have been measured
  Atomic<Replay*> idle[kMostIdle] = {};

 private:
  void end_measured(Thread& thread, Replay& replay);
  void give(Thread& thread, Replay& replay);
  void discard_replays(Thread& thread);
  uint64_t* durations_in(const Replay& replay) const;
  bool divide(Thread& thread, Replay& replay);
};

// That of the construct whose graphs these are. nullptr: out of memory.
Taskgraph* graph_of(Atomic<Taskgraph*>& graphs, uint64_t id);

}  // namespace bobbin
