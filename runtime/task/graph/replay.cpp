// SPDX-License-Identifier: Apache-2.0
#include "task/graph/replay.h"

#include <cstdlib>
#include <new>

#include "platform/memory.h"
#include "platform/watchers/happens_before.h"
#include "task/graph/countdown.h"
#include "task/memory/task_pool.h"
#include "task/model/taskgroup.h"
#include "team/members/short_wait.h"
#include "team/model/task_hooks.h"

namespace bobbin {
namespace {

static_assert(sizeof(ReplayedUnit) <= kLargestTaskBlock);

// What the last execution left behind. The table of its children's dependences serves the next one.
void forget_icvs(TaskExtras& extras) {
  while (OwnIcvs* own = extras.own_icvs) {
    extras.own_icvs = own->previous;
    destroy(own);
  }
}

ReplayedUnit* make_unit(Thread& thread, Replay& replay, const ReplayUnit& unit) {
  void* block = take_task_block(*thread.worker, sizeof(ReplayedUnit));
  if (block == nullptr) return nullptr;
  const RecordedTask& first = replay.record->tasks[unit.first];
  auto* item = new (block) ReplayedUnit;
  item->task.kind = TaskKind::Deferred;
  item->task.extras = &item->extras;
  item->task.kept = true;
  item->task.data = item;
  item->extras.priority = replay.record->places[unit.first].priority;
  item->extras.construct = first.function;
  item->replay = &replay;
  item->unit = &unit;
  item->duration = ~uint64_t{0};
  return item;
}

}  // namespace

Replay* make_replay(Thread& thread, Taskgraph& graph, const TaskRecord& record,
                    const ReplayPlan& plan) {
  auto* replay = make<Replay>(
      Replay{&graph, &record, &plan, false, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr});
  if (replay == nullptr) return nullptr;
  replay->units = static_cast<ReplayedUnit**>(calloc(plan.count + 1, sizeof(ReplayedUnit*)));
  replay->blockers =
      static_cast<Atomic<uint32_t>*>(malloc((size_t{plan.count} + 1) * sizeof(Atomic<uint32_t>)));
  replay->data = static_cast<char*>(
      aligned_alloc(record.alignment, round_up(record.bytes_apart + 1, record.alignment)));
  bool made = replay->units != nullptr && replay->blockers != nullptr && replay->data != nullptr;
  for (uint32_t i = 0; made && i < plan.count; i++) {
    new (&replay->blockers[i]) Atomic<uint32_t>(plan.units[i].predecessors);
    replay->units[i] = make_unit(thread, *replay, plan.units[i]);
    made = replay->units[i] != nullptr;
  }
  if (made) return replay;
  destroy_replay(thread, *replay);
  return nullptr;
}

void destroy_replay(Thread& thread, Replay& replay) {
  for (uint32_t i = 0; replay.units != nullptr && i < replay.plan->count; i++) {
    ReplayedUnit* item = replay.units[i];
    if (item == nullptr) break;
    // Those that hold references give them back before long, without waiting for anything.
    for (ShortWait wait(thread); item->task.references.load(acquire) != 1;) wait.pause();
    release_extras(item->task);
    give_task_block(*thread.worker, item);
  }
  free(replay.units);
  free(replay.blockers);
  free(replay.data);
  destroy(&replay);
}

void count_replayed(Thread& thread, Replay& replay, void* surroundings) {
  Member& member = *thread.member;
  Task& parent = *thread.task;
  replay.parent = &parent;
  replay.team = member.team;
  replay.surroundings = surroundings;
  const uint32_t count = replay.plan->count;
  parent.children.fetch_add(count, relaxed);
  parent.references.fetch_add(count, relaxed);
  parent.group->tasks.fetch_add(count, relaxed);
  if (!member.team->has_tasks.load(relaxed)) member.team->has_tasks.store(true, relaxed);
  member.tasks_made.store(member.tasks_made.load(relaxed) + count, release);
}

// Called by the thread that owns the unit. The parent waits, so its fields do not change.
void prepare_replayed(ReplayedUnit& item) {
  const Replay& replay = *item.replay;
  const RecordedTask& recorded = replay.record->tasks[item.unit->first];
  const bool is_single = item.unit->is_single();
  Task& task = item.task;
  if (item.extras.own_icvs != nullptr) [[unlikely]]
    forget_icvs(item.extras);
  task.function = execute_unit;
  task.inherit(*replay.parent, is_single && recorded.final_task, !is_single || recorded.tied);
  task.begun = false;
  task.own_stack = replay.team->tasks_may_block;
  item.extras.team = replay.team;
  item.extras.advice = {};  // a shared queue keeps something else in this place
  happens_before(&task);
}

ReadyTasks release_replayed(Task& task) {
  ReadyTasks ready;
  const ReplayedUnit& item = ReplayedUnit::of(task);
  const Replay& replay = *item.replay;
  const ReplayPlan& plan = *replay.plan;
  for (uint32_t i = item.unit->first_successor; i < item.unit[1].first_successor; i++) {
    const uint32_t number = plan.successors[i];
    if (looks_for_races()) [[unlikely]]
      happens_before(&replay.units[number]->task);
    if (!count_down(replay.blockers[number], plan.units[number].predecessors)) continue;
    prepare_replayed(*replay.units[number]);
    ready.add(replay.units[number]->task);
  }
  return ready;
}

}  // namespace bobbin
