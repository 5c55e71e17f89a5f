// SPDX-License-Identifier: Apache-2.0
#include "task/create/taskloop.h"
#include "abi/call_site.h"
#include "construct/tool_events.h"

#include <alloca.h>

#include <cstring>
#include <new>

#include "abi/export.h"
#include "abi/kmp/ident.h"
#include "abi/kmp/tasks/task_image.h"
#include "abi/priority.h"
#include "construct/reductions/task_reduction.h"
#include "platform/memory.h"
#include "task/model/taskgroup.h"
#include "task/run/modes.h"
#include "team/model/team.h"

using namespace bobbin;
using namespace bobbin::kmp;

namespace {

// Constructs the private copies of `to` from the pattern `from`, and tells `to` whether it has the
// last iteration. Null: a bytewise copy is enough.
using Duplicate = void (*)(TaskImage* to, TaskImage* from, int32_t last);

// The data of a loop's tasks: the values that the task layer sets for each, and an image. The
// compiler's routine finds its bounds in the image, at the places that the program has given. The
// end is inclusive there.
struct alignas(kCacheLine) LoopData {
  uint64_t begin;
  uint64_t end;
  uint64_t step;
  uint64_t loop_end;
  size_t bytes;  // of the image
  size_t lower_at;
  size_t upper_at;
  Duplicate duplicate;
  TaskImage* pattern;

  TaskImage& image() { return *reinterpret_cast<TaskImage*>(this + 1); }
};

// An image holds the address of something inside it. That is the address in the pattern, however
// often the image was copied.
TaskImage& copy_image(void* to, const TaskImage& from, const LoopData& loop) {
  auto* image = static_cast<TaskImage*>(memcpy(to, &from, loop.bytes));
  if (from.shareds != nullptr) {
    ptrdiff_t at = static_cast<char*>(from.shareds) - reinterpret_cast<char*>(loop.pattern);
    image->shareds = static_cast<char*>(to) + at;
  }
  return *image;
}

void run_chunk_of(const LoopData& loop, TaskImage& image) {
  auto* start = reinterpret_cast<char*>(&image);
  uint64_t last = loop.end - loop.step;
  memcpy(start + loop.lower_at, &loop.begin, sizeof loop.begin);
  memcpy(start + loop.upper_at, &last, sizeof last);
  run_image(image);
}

// The routine may write to its private copies, and the next chunk needs their original values.
void run_chunk(void* data) {
  auto& loop = *static_cast<LoopData*>(data);
  void* place = align_up(alloca(loop.bytes + kCacheLine - 1), kCacheLine);
  run_chunk_of(loop, copy_image(place, loop.image(), loop));
}

// It is called although it is cancelled, because its copies may have to be destroyed. If so,
// run_image() destroys them.
void run_duplicate(void* data) {
  auto& loop = *static_cast<LoopData*>(data);
  TaskImage& image = loop.image();
  const Thread& thread = self();
  const bool destroyed = (image.flags & kDestructors) != 0;
  if (destroyed || !tasks_cancelled(thread, thread.task->group)) run_chunk_of(loop, image);
}

void duplicate(void* to, void* from) {
  auto& loop = *static_cast<LoopData*>(to);
  uint64_t begin = loop.begin;
  uint64_t end = loop.end;
  loop = *static_cast<LoopData*>(from);
  loop.begin = begin;
  loop.end = end;
  copy_image(&loop.image(), *loop.pattern, loop);
  loop.duplicate(&loop.image(), loop.pattern, end == loop.loop_end ? 1 : 0);
}

// `last` inclusive.
uint64_t count_iterations(uint64_t first, uint64_t last, int64_t step) {
  if (step == 1) return last - first + 1;
  auto up = static_cast<int64_t>(first) <= static_cast<int64_t>(last);
  if (step > 0) return up ? (last - first) / static_cast<uint64_t>(step) + 1 : 0;
  bool down = static_cast<int64_t>(first) >= static_cast<int64_t>(last);
  return down ? (first - last) / (0 - static_cast<uint64_t>(step)) + 1 : 0;
}

struct Clauses {
  bool deferrable;
  int32_t kind;  // 0: neither of
  uint64_t number;
  bool strict;
};

LoopDivision divide(uint64_t iterations, const Clauses& clauses, const Thread& thread) {
  constexpr int32_t kGrainsize = 1;
  constexpr int32_t kNumTasks = 2;
  if (clauses.kind == kGrainsize) {
    return divide_by_grainsize(iterations, clauses.number, clauses.strict);
  }
  if (clauses.kind == kNumTasks) return divide_by_tasks(iterations, clauses.number);
  return divide_for_team(iterations, thread.member->team->size);
}

void run(Thread& thread, TaskImage& pattern, const uint64_t* lower, const uint64_t* upper,
         int64_t step, const Clauses& clauses, Duplicate duplicate_image) {
  warn_if_transparent(pattern);
  uint64_t iterations = count_iterations(*lower, *upper, step);
  if (iterations == 0 || thread.member->team->cancelled.load(relaxed)) return;
  auto offset_of = [&](const uint64_t* field) {
    return static_cast<size_t>(reinterpret_cast<const char*>(field) -
                               reinterpret_cast<const char*>(&pattern));
  };
  Taskloop loop;
  loop.start = *lower;
  loop.step = static_cast<uint64_t>(step);
  loop.end = loop.start + iterations * loop.step;
  loop.division = divide(iterations, clauses, thread);
  loop.deferrable = clauses.deferrable;
  loop.final_task = (pattern.flags & kFinal) != 0;
  loop.tied = (pattern.flags & kTied) != 0;
  loop.mergeable = (pattern.flags & kUndeferred) != 0;
  loop.for_pool = (pattern.flags & kForPool) != 0 && global_icvs().free_agents != 0;
  if ((pattern.flags & kPriority) != 0) loop.priority = clamp_priority(pattern.priority.priority);
  const WatchedTaskloop watched(thread, iterations);

  LoopData head{0,
                0,
                loop.step,
                loop.end,
                bytes_of(pattern),
                offset_of(lower),
                offset_of(upper),
                duplicate_image,
                &pattern};
  loop.size = sizeof head + head.bytes;
  loop.alignment = kCacheLine;
  if (duplicate_image != nullptr) {
    encounter(thread, "tasks whose private variables have constructors");
    loop.function = run_duplicate;
    loop.copy = duplicate;
    loop.data = &head;
    run_taskloop(thread, loop);
    return;
  }
  loop.function = run_chunk;
  loop.replayable = true;
  loop.data = align_up(alloca(loop.size + kCacheLine - 1), kCacheLine);
  auto* data = new (loop.data) LoopData(head);
  memcpy(&data->image(), &pattern, head.bytes);
  run_taskloop(thread, loop);
}

// The task that the program has made is the pattern of the loop's tasks. It is not one of them
// itself.
void taskloop(TaskImage& pattern, const uint64_t* lower, const uint64_t* upper, int64_t step,
              bool group, const Clauses& clauses, Duplicate duplicate_image) {
  Thread& thread = self();
  if (group) taskgroup_begin(thread);
  run(thread, pattern, lower, upper, step, clauses, duplicate_image);
  if (group) end_reducing_taskgroup(thread);
  discard_image(running_thread(), pattern);
}

}  // namespace

BOBBIN_ENTRY void __kmpc_taskloop(const Ident*, int32_t, TaskImage* pattern, int32_t condition,
                                  const uint64_t* lower, const uint64_t* upper, int64_t step,
                                  int32_t nogroup, int32_t kind, uint64_t number,
                                  Duplicate duplicate_image) {
  BOBBIN_CALL_SITE_OF(pattern->routine);
  taskloop(*pattern, lower, upper, step, nogroup == 0, {condition != 0, kind, number, false},
           duplicate_image);
}

BOBBIN_ENTRY void __kmpc_taskloop_5(const Ident*, int32_t, TaskImage* pattern, int32_t condition,
                                    const uint64_t* lower, const uint64_t* upper, int64_t step,
                                    int32_t nogroup, int32_t kind, uint64_t number, int32_t strict,
                                    Duplicate duplicate_image) {
  BOBBIN_CALL_SITE_OF(pattern->routine);
  taskloop(*pattern, lower, upper, step, nogroup == 0, {condition != 0, kind, number, strict != 0},
           duplicate_image);
}
