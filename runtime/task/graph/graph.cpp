// SPDX-License-Identifier: Apache-2.0
#include "task/graph/graph.h"

#include <cstdlib>

#include "platform/memory.h"

namespace bobbin {

Taskgraph* graph_of(Atomic<Taskgraph*>& graphs, uint64_t id) {
  Taskgraph* first = graphs.load(acquire);
  for (Taskgraph* graph = first; graph != nullptr; graph = graph->next) {
    if (graph->id == id) return graph;
  }
  auto* made = make<Taskgraph>(id);
  if (made == nullptr) return nullptr;
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

Replay* Taskgraph::take(Thread& thread) {
  for (Atomic<Replay*>& slot : idle) {
    if (slot.load(relaxed) == nullptr) continue;
    if (Replay* replay = slot.exchange(nullptr, acquire)) return replay;
  }
  Replay* made = make_replay(thread, *this, record, plan);
  if (made != nullptr) made->measures = measures;
  return made;
}

Replay* Taskgraph::begin_first(Thread& thread) {
  if (record.successors != nullptr) plan = make_plan(record, nullptr, 1);
  return plan.made() ? take(thread) : nullptr;
}

void Taskgraph::leave(Thread& thread, Replay* replay) {
  if (replay != nullptr && replay->measures && state.hold_alone()) {
    end_measured(thread, *replay);
    state.end_ready();
    return;
  }
  if (replay != nullptr) give(thread, *replay);
  if (!state.leave()) return;
  discard(thread);
  state.end_empty();
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

// The replay has measured the units and has ended. The caller holds the graph.
void Taskgraph::end_measured(Thread& thread, Replay& replay) {
  constexpr unsigned kExecutions = 2;  // the first one finds nothing in the caches
  const bool enough = ++measured % kExecutions == 0;
  if (enough && divide(thread, replay)) return;
  replay.measures = measures;
  give(thread, replay);
}

}  // namespace bobbin
