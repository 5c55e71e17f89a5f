// SPDX-License-Identifier: Apache-2.0
#include "task/create/taskloop.h"
#include "abi/call_site.h"
#include "construct/tool_events.h"

#include "abi/export.h"
#include "abi/gomp/task_flags.h"
#include "abi/priority.h"
#include "construct/reductions/reduction.h"
#include "construct/worksharing/iteration_space.h"
#include "task/model/taskgroup.h"
#include "team/model/team.h"

using namespace bobbin;
using namespace bobbin::gomp;

namespace {

using Function = void (*)(void*);
using Copy = void (*)(void*, void*);

// The beginning of a loop's data.
struct DataHead {
  uint64_t start;
  uint64_t end;
  uintptr_t* reductions;
};

LoopDivision divide(uint64_t iterations, unsigned flags, unsigned long number,
                    const Thread& thread) {
  if ((flags & kGrainsize) != 0) {
    return divide_by_grainsize(iterations, number, (flags & kStrict) != 0);
  }
  if (number != 0) return divide_by_tasks(iterations, number);
  return divide_for_team(iterations, thread.member->team->size);
}

void taskloop(Taskloop& loop, uint64_t iterations, unsigned flags, unsigned long number,
              int priority) {
  Thread& thread = self();
  bool group = (flags & kNogroup) == 0;
  bool reduction = group && (flags & kReduction) != 0;
  auto* head = static_cast<DataHead*>(loop.data);
  if (iterations == 0 || thread.member->team->cancelled.load(relaxed)) {
    // Tells the program that nothing was registered.
    if (reduction) head->reductions[2] = 0;
    return;
  }
  loop.division = divide(iterations, flags, number, thread);
  loop.deferrable = (flags & kIf) != 0;
  loop.final_task = (flags & kFinal) != 0;
  loop.tied = (flags & kUntied) == 0;
  loop.mergeable = (flags & kMergeable) != 0;
  if ((flags & kPriority) != 0) loop.priority = clamp_priority(priority);
  if (group) taskgroup_begin(thread);
  if (reduction) register_reductions(thread, head->reductions);
  {
    const WatchedTaskloop watched(thread, iterations);
    run_taskloop(thread, loop);
  }
  if (group) taskgroup_end(thread);
}

Taskloop loop_of(Function function, void* data, Copy copy, long size, long alignment,
                 const LoopBounds& bounds) {
  Taskloop loop;
  loop.function = function;
  loop.data = data;
  loop.copy = copy;
  loop.size = static_cast<size_t>(size);
  loop.alignment = static_cast<size_t>(alignment);
  loop.start = bounds.begin;
  loop.end = bounds.end;
  loop.step = bounds.step;
  return loop;
}

}  // namespace

BOBBIN_ENTRY void GOMP_taskloop(Function function, void* data, Copy copy, long size, long alignment,
                                unsigned flags, unsigned long number, int priority, long start,
                                long end, long step) {
  BOBBIN_CALL_SITE_OF(function);
  const LoopBounds bounds = LoopBounds::of(start, end, step);
  Taskloop loop = loop_of(function, data, copy, size, alignment, bounds);
  taskloop(loop, bounds.count(), flags, number, priority);
}

BOBBIN_ENTRY void GOMP_taskloop_ull(Function function, void* data, Copy copy, long size,
                                    long alignment, unsigned flags, unsigned long number,
                                    int priority, unsigned long long start, unsigned long long end,
                                    unsigned long long step) {
  BOBBIN_CALL_SITE_OF(function);
  const LoopBounds bounds = LoopBounds::of((flags & kUp) != 0, start, end, step);
  Taskloop loop = loop_of(function, data, copy, size, alignment, bounds);
  taskloop(loop, bounds.count(), flags, number, priority);
}
