// SPDX-License-Identifier: Apache-2.0
#include "task/depend/replay.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "platform/happens_before.h"
#include "platform/memory.h"
#include "task/depend/countdown.h"
#include "task/model/task_pool.h"
#include "task/model/taskgroup.h"
#include "team/task_hooks.h"

namespace bobbin {
namespace {

static_assert(sizeof(ReplayedTask) <= kLargestTaskBlock);

size_t alignment_of(const RecordedTask& task) {
  return task.alignment > kCacheLine ? task.alignment : kCacheLine;
}

// Where the data of each task begin, from `at` on. Returns the end.
template <class Visit>
size_t lay_out(const TaskRecord& record, size_t at, Visit&& visit) {
  for (uint32_t i = 0; i < record.count; i++) {
    at = round_up(at, alignment_of(record.tasks[i]));
    visit(i, at);
    at += record.tasks[i].size;
  }
  return at;
}

void execute_recorded(void* data) {
  const ReplayedTask& item = *static_cast<ReplayedTask*>(data);
  const RecordedTask& recorded = *item.recorded;
  if (recorded.size != 0) memcpy(item.data, recorded.saved, recorded.size);
  if (recorded.relocate != nullptr) recorded.relocate(item.data, item.replay->surroundings);
  recorded.function(item.data);
}

// What the last execution left behind. The table of its children's dependences serves the next one.
void forget_icvs(TaskExtras& extras) {
  while (OwnIcvs* own = extras.own_icvs) {
    extras.own_icvs = own->previous;
    destroy(own);
  }
}

ReplayedTask* make_item(Thread& thread, Replay& replay, const RecordedTask& recorded, void* data) {
  void* block = take_task_block(*thread.worker, sizeof(ReplayedTask));
  if (block == nullptr) return nullptr;
  auto* item = new (block) ReplayedTask;
  item->task.kind = TaskKind::Deferred;
  item->task.extras = &item->extras;
  item->task.replayed = true;
  item->task.data = item;
  item->extras.priority = recorded.priority;
  item->extras.construct = recorded.function;
  item->replay = &replay;
  item->recorded = &recorded;
  item->data = data;
  item->blockers.store(recorded.predecessors, relaxed);
  return item;
}

}  // namespace

Replay* make_replay(Thread& thread, Taskgraph& graph, const TaskRecord& record) {
  auto* replay = make<Replay>(Replay{&graph, &record, nullptr, nullptr, nullptr, nullptr, nullptr});
  if (replay == nullptr) return nullptr;
  size_t alignment = kCacheLine;
  const size_t bytes = lay_out(record, 0, [&](uint32_t i, size_t) {
    if (alignment < alignment_of(record.tasks[i])) alignment = alignment_of(record.tasks[i]);
  });
  replay->tasks = static_cast<ReplayedTask**>(calloc(record.count + 1, sizeof(ReplayedTask*)));
  replay->data = static_cast<char*>(aligned_alloc(alignment, round_up(bytes + 1, alignment)));
  bool made = replay->tasks != nullptr && replay->data != nullptr;
  lay_out(record, 0, [&](uint32_t i, size_t at) {
    if (!made) return;
    replay->tasks[i] = make_item(thread, *replay, record.tasks[i], replay->data + at);
    made = replay->tasks[i] != nullptr;
  });
  if (made) return replay;
  destroy_replay(thread, *replay);
  return nullptr;
}

void destroy_replay(Thread& thread, Replay& replay) {
  for (uint32_t i = 0; replay.tasks != nullptr && i < replay.record->count; i++) {
    ReplayedTask* item = replay.tasks[i];
    if (item == nullptr) break;
    // Those that hold references give them back before long, without waiting for anything.
    while (item->task.references.load(acquire) != 1) cpu_pause();
    release_extras(item->task);
    give_task_block(*thread.worker, item);
  }
  free(replay.tasks);
  free(replay.data);
  destroy(&replay);
}

void count_replayed(Thread& thread, Replay& replay, void* surroundings) {
  Member& member = *thread.member;
  Task& parent = *thread.task;
  replay.parent = &parent;
  replay.team = member.team;
  replay.surroundings = surroundings;
  const uint32_t count = replay.record->count;
  parent.children.fetch_add(count, relaxed);
  parent.references.fetch_add(count, relaxed);
  parent.group->tasks.fetch_add(count, relaxed);
  if (!member.team->has_tasks.load(relaxed)) member.team->has_tasks.store(true, relaxed);
  member.tasks_made.store(member.tasks_made.load(relaxed) + count, release);
}

// Called by the thread that owns the task. The parent waits, so its fields do not change.
void prepare_replayed(ReplayedTask& item) {
  const Replay& replay = *item.replay;
  Task& task = item.task;
  if (item.extras.own_icvs != nullptr) [[unlikely]]
    forget_icvs(item.extras);
  task.function = execute_recorded;
  task.inherit(*replay.parent, item.recorded->final_task, item.recorded->tied);
  task.begun = false;
  task.own_stack = replay.team->tasks_may_block;
  item.extras.team = replay.team;
  // A shared queue keeps something else in this place.
  if (replay.team->queues_by_data) [[unlikely]]
    item.extras.advice = {};
  happens_before(&task);
}

ReadyTasks release_replayed(Task& task) {
  ReadyTasks ready;
  const ReplayedTask& item = ReplayedTask::of(task);
  const TaskRecord& record = *item.replay->record;
  ReplayedTask** tasks = item.replay->tasks;
  const uint32_t* successor = record.successors + item.recorded->first_successor;
  const uint32_t* end = record.successors + item.recorded[1].first_successor;
  for (; successor != end; successor++) {
    ReplayedTask& next = *tasks[*successor];
    happens_before(&next.task);
    if (!count_down(next.blockers, next.recorded->predecessors)) continue;
    prepare_replayed(next);
    ready.add(next.task);
  }
  return ready;
}

}  // namespace bobbin
