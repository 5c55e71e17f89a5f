// SPDX-License-Identifier: Apache-2.0
#include "task/create/taskloop.h"

#include <alloca.h>

#include <cstring>

#include "platform/memory.h"
#include "task/create/create.h"
#include "task/create/decision.h"
#include "task/create/in_place.h"
#include "task/model/taskgroup.h"
#include "task/tuning/limits.h"
#include "team/model/team.h"
#include "tool/events.h"

namespace bobbin {

LoopDivision divide_by_tasks(uint64_t iterations, uint64_t tasks) {
  if (tasks > iterations) tasks = iterations;
  if (tasks == 0) tasks = 1;
  return {iterations, tasks, iterations / tasks, iterations % tasks};
}

LoopDivision divide_by_grainsize(uint64_t iterations, uint64_t grainsize, bool strict) {
  if (grainsize == 0) grainsize = 1;
  // Each task gets at least the grainsize, and less than twice as much.
  if (!strict) return divide_by_tasks(iterations, iterations / grainsize);
  return {iterations, (iterations - 1) / grainsize + 1, grainsize, 0};
}

namespace {

// The data of a task that stands for several chunks. The arguments of the loop's function follow.
// Each range has a copy of them, because the two words that name the chunk are changed in place.
struct Range {
  Taskloop loop;  // loop.data: not used
  uint64_t first;
  uint64_t last;
  size_t bytes;      // of the whole block
  size_t arguments;  // where they are in it

  uint64_t* chunk() {
    return reinterpret_cast<uint64_t*>(reinterpret_cast<char*>(this) + arguments);
  }
};

uint64_t value_at(const Taskloop& loop, uint64_t chunk) {
  // A value past the end by a part of a step might overflow the variable.
  if (chunk >= loop.division.tasks) return loop.end;
  return loop.start + loop.division.begin_of(chunk) * loop.step;
}

// The task that executes a range.
enum class Runner : uint8_t {
  Encountering,      // the task that met the construct
  EncounteringOnly,  // the same, or a task in its place, and no range is given away
  Task,              // a task that was made for the range
};

void run_range(void* data);

// The upper part of the range becomes a task of its own. It is a child of the task that met the
// construct, because taskwait waits for children.
void give_away(Thread& thread, Range& range, Runner runner, uint64_t first, uint64_t last) {
  range.first = first;
  range.last = last;
  TaskSpec spec;
  spec.function = run_range;
  spec.data = &range;
  spec.size = range.bytes;
  spec.alignment = round_up(range.loop.alignment, alignof(Range));
  spec.tied = range.loop.tied;
  spec.priority = range.loop.priority;
  const RareSpec rare{.look_ahead = true, .sibling = runner == Runner::Task};
  spec.rare = &rare;
  create_opaque_task(thread, spec);
}

void run_chunks(Thread& thread, Range& range, Runner runner) {
  const Taskloop& loop = range.loop;
  bool may_split = runner != Runner::EncounteringOnly;
  uint64_t first = range.first;
  uint64_t last = range.last;
  for (uint64_t value = value_at(loop, first);
       first < last && !tasks_cancelled(thread, thread.task->group); first++) {
    while (may_split && last - first > 1 &&
           splits_range(thread, last - first, loop.priority, loop.tied)) {
      uint64_t middle = first + (last - first) / 2;
      give_away(thread, range, runner, middle, last);
      last = middle;
    }
    uint64_t next = value_at(loop, first + 1);
    range.chunk()[0] = value;
    range.chunk()[1] = next;
    value = next;
    run_in_place(thread, loop.function, range.chunk(), loop.final_task, loop.tied);
  }
}

// Without memory a range may be executed in place. Then it is not split, because the current task
// is no sibling of the tasks that would be made, and may itself be the task of another range.
void run_range(void* data) {
  Thread& thread = self();
  const bool deferred = thread.task->kind == TaskKind::Deferred;
  run_chunks(thread, *static_cast<Range*>(data),
             deferred ? Runner::Task : Runner::EncounteringOnly);
}

// The function of a loop without a copy function does not change its data. So one block serves one
// chunk after the other, and a task stands for a range of chunks until splitting it pays. Each
// chunk is still a task of its own, executed in place.
void run_ranges(Thread& thread, const Taskloop& loop, Runner runner) {
  size_t alignment = round_up(loop.alignment, alignof(Range));
  size_t arguments = round_up(sizeof(Range), alignment);
  size_t bytes = arguments + loop.size;
  auto* range = new (align_up(alloca(bytes + alignment), alignment))
      Range{loop, 0, loop.division.tasks, bytes, arguments};
  memcpy(range->chunk(), loop.data, loop.size);
  run_chunks(thread, *range, runner);
}

// Chunks are executed in place, so that loops may nest as deeply as tasks.
[[gnu::noinline]] void run_elsewhere(Thread& thread, const Taskloop& loop) {
  call_on_fresh_stack(thread, [&] { run_taskloop(thread, loop); });
}

struct ChunkCopy {
  const Taskloop& loop;
  uint64_t chunk;
};

void copy_chunk(void* to, void* from) {
  auto* source = static_cast<ChunkCopy*>(from);
  auto* words = static_cast<uint64_t*>(to);
  uint64_t first = value_at(source->loop, source->chunk);
  uint64_t next = value_at(source->loop, source->chunk + 1);
  words[0] = first;  // for a copy function that reads them
  words[1] = next;
  if (source->loop.copy != nullptr) {
    source->loop.copy(to, source->loop.data);
  } else {
    memcpy(to, source->loop.data, source->loop.size);
  }
  words[0] = first;  // for one that overwrites them
  words[1] = next;
}

ompt_dispatch_chunk_t iterations_of(const Taskloop& loop, uint64_t chunk) {
  const LoopDivision& division = loop.division;
  return {value_at(loop, chunk), division.begin_of(chunk + 1) - division.begin_of(chunk)};
}

// Each task's data are constructed from the encountering thread's data, so that thread makes all
// tasks. Likewise if not every thread may execute every task.
void run_copies(Thread& thread, const Taskloop& loop) {
  ChunkCopy source{loop, 0};
  TaskSpec spec;
  spec.function = loop.function;
  spec.data = &source;
  spec.copy = copy_chunk;
  spec.size = loop.size;
  spec.alignment = loop.alignment;
  spec.deferrable = loop.deferrable;
  spec.final_task = loop.final_task;
  spec.tied = loop.tied;
  spec.mergeable = loop.mergeable;
  spec.priority = loop.priority;
  RareSpec rare;
  rare.for_pool = loop.for_pool;
  rare.replayable = loop.replayable;
  rare.constant_data = loop.constant_data;
  rare.relocate = loop.relocate;
  spec.rare = &rare;
  for (; source.chunk < loop.division.tasks && !tasks_cancelled(thread, thread.task->group);
       source.chunk++) {
    rare.iterations = iterations_of(loop, source.chunk);
    create_opaque_task(thread, spec);
  }
}

}  // namespace

LoopDivision divide_for_team(uint64_t iterations, unsigned threads) {
  return divide_by_tasks(iterations, threads == 1 ? 1 : kTasksAThread * threads);
}

void run_taskloop(Thread& thread, const Taskloop& loop) {
  if (stack_nearly_used_up(thread)) [[unlikely]] {
    run_elsewhere(thread, loop);
    return;
  }
  if (loop.copy != nullptr || tool::watched || (loop.replayable && thread.task->collects) ||
      loop.for_pool || thread.member->defers_all) {
    run_copies(thread, loop);
    return;
  }
  Team& team = *thread.member->team;
  bool alone = nobody_else(team);
  bool share = loop.deferrable && !thread.task->final_task && !alone;
  run_ranges(thread, loop, share ? Runner::Encountering : Runner::EncounteringOnly);
}

}  // namespace bobbin
