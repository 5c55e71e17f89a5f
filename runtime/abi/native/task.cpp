// SPDX-License-Identifier: Apache-2.0
// Tasks of translated programs.
#include "abi/call_site.h"
#include "abi/export.h"
#include "abi/priority.h"
#include "bobbin/native.h"
#include "construct/reductions/task_reduction.h"
#include "construct/tool_events.h"
#include "task/create/create.h"
#include "task/create/decision.h"
#include "task/create/defer_plain.h"
#include "task/create/in_place.h"
#include "task/create/taskloop.h"
#include "task/model/childless.h"
#include "task/model/taskgroup.h"
#include "task/wait/depend_wait.h"
#include "task/wait/wait.h"
#include "team/model/team.h"

using namespace bobbin;

static_assert(sizeof(bobbin_omp_dependence) == sizeof(Dependence) &&
              offsetof(bobbin_omp_dependence, kind) == offsetof(Dependence, kind) &&
              sizeof(bobbin_omp_dependence::kind) == sizeof(Dependence::kind));
static_assert(static_cast<int>(DependKind::In) == bobbin_omp_in &&
              static_cast<int>(DependKind::Out) == bobbin_omp_out &&
              static_cast<int>(DependKind::MutexInoutset) == bobbin_omp_mutexinoutset &&
              static_cast<int>(DependKind::Inoutset) == bobbin_omp_inoutset);

namespace {

using Function = void (*)(void*);

DependList list_of(const bobbin_omp_dependence* depend, size_t count) {
  return {reinterpret_cast<const Dependence*>(depend), count};
}

TaskSpec spec_of(Function function, void* data, size_t size, size_t alignment) {
  TaskSpec spec;
  spec.function = function;
  spec.data = data;
  spec.size = size;
  spec.alignment = alignment;
  return spec;
}

LoopDivision divide(const Thread& thread, uint64_t iterations, int division, uint64_t number,
                    bool strict) {
  if (division == bobbin_omp_grainsize) return divide_by_grainsize(iterations, number, strict);
  if (division == bobbin_omp_num_tasks) return divide_by_tasks(iterations, number);
  return divide_for_team(iterations, thread.member->team->size);
}

[[gnu::noinline]] void create_as_described(Function function, void* data, size_t size,
                                           size_t alignment) {
  BOBBIN_CALL_SITE_OF(function);
  TaskSpec spec = spec_of(function, data, size, alignment);
  spec.may_make_way = true;
  create_task(self(), spec);
}

// The task has no clauses that matter, and has been executed in place.
bool run_quickly(Thread& thread, const TaskSpec& spec, const bobbin_omp_task_clauses& clauses) {
  if (clauses.priority != 0 || clauses.depend != nullptr || clauses.event != nullptr) return false;
  if ((clauses.flags & bobbin_omp_pool) != 0 && global_icvs().free_agents != 0) return false;
  if (!(spec.deferrable ? surely_in_place(thread) : surely_undeferred(thread))) return false;
  run_in_place(thread, spec.function, spec.data, spec.final_task, spec.tied);
  return true;
}

void create_with(TaskSpec& spec, RareSpec& rare, const bobbin_omp_task_clauses& clauses) {
  spec.deferrable = (clauses.flags & bobbin_omp_undeferred) == 0;
  spec.final_task = (clauses.flags & bobbin_omp_final) != 0;
  spec.tied = (clauses.flags & bobbin_omp_untied) == 0;
  spec.mergeable = (clauses.flags & bobbin_omp_mergeable) != 0;
  rare.constant_data = (clauses.flags & bobbin_omp_constant_data) != 0;
  spec.rare = &rare;
  spec.priority = clamp_priority(clauses.priority);
  spec.event_handle = clauses.event;
  if (run_quickly(self(), spec, clauses)) return;
  rare.for_pool = (clauses.flags & bobbin_omp_pool) != 0 && global_icvs().free_agents != 0;
  if (clauses.depend == nullptr) {
    spec.may_make_way = true;
  } else {
    if (!rare.for_pool && create_without_predecessors(self(), spec)) return;
    spec.depend = list_of(clauses.depend, clauses.dependences);
  }
  create_task(self(), spec);
}

struct LoopTasks {
  Function function;
  void* data;
  size_t size;
  size_t alignment;
  bool replayable = false;
  void (*relocate)(void*, void*) = nullptr;
};

void create_for_loop(const LoopTasks& tasks, unsigned flags, int priority, uint64_t count,
                     int division, uint64_t number) {
  Thread& thread = self();
  if (count == 0 || thread.member->team->cancelled.load(relaxed)) return;
  Taskloop loop;
  loop.function = tasks.function;
  loop.data = tasks.data;
  loop.size = tasks.size;
  loop.alignment = tasks.alignment;
  loop.end = count;
  loop.division = divide(thread, count, division, number, (flags & bobbin_omp_strict) != 0);
  loop.deferrable = (flags & bobbin_omp_undeferred) == 0;
  loop.final_task = (flags & bobbin_omp_final) != 0;
  loop.tied = (flags & bobbin_omp_untied) == 0;
  loop.mergeable = (flags & bobbin_omp_mergeable) != 0;
  loop.constant_data = (flags & bobbin_omp_constant_data) != 0;
  loop.priority = clamp_priority(priority);
  loop.for_pool = (flags & bobbin_omp_pool) != 0 && global_icvs().free_agents != 0;
  loop.replayable = tasks.replayable;
  loop.relocate = tasks.relocate;
  const bool group = (flags & bobbin_omp_nogroup) == 0;
  if (group) taskgroup_begin(thread);
  {
    const WatchedTaskloop watched(thread, count);
    run_taskloop(thread, loop);
  }
  if (group) taskgroup_end(thread);
}

[[gnu::noinline]] void wait_for_children() {
  BOBBIN_CALL_SITE;
  taskwait(self());
}

}  // namespace

BOBBIN_NATIVE_ENTRY void bobbin_omp_task(Function function, void* data, unsigned long size,
                                         unsigned long alignment) {
  Thread* thread = tls_thread;
  if (thread != nullptr && surely_in_place(*thread)) [[likely]] {
    run_in_place(*thread, function, data, false, true);
  } else if (thread == nullptr || tool::watched ||
             !defer_plain(*thread, function, data, nullptr, size, alignment, true)) {
    create_as_described(function, data, size, alignment);
  }
}

BOBBIN_NATIVE_ENTRY void bobbin_omp_task_with(Function function, void* data, unsigned long size,
                                              unsigned long alignment,
                                              const bobbin_omp_task_clauses* clauses) {
  BOBBIN_CALL_SITE_OF(function);
  TaskSpec spec = spec_of(function, data, size, alignment);
  RareSpec rare;
  create_with(spec, rare, *clauses);
}

BOBBIN_NATIVE_ENTRY void bobbin_omp_replayable_task(Function function, void* data,
                                                    unsigned long size, unsigned long alignment,
                                                    const bobbin_omp_task_clauses* clauses,
                                                    void (*relocate)(void*, void*)) {
  BOBBIN_CALL_SITE_OF(function);
  TaskSpec spec = spec_of(function, data, size, alignment);
  RareSpec rare{.replayable = true, .relocate = relocate};
  create_with(spec, rare, *clauses);
}

BOBBIN_NATIVE_ENTRY void bobbin_omp_taskloop(Function function, void* data, unsigned long size,
                                             unsigned long alignment, unsigned flags, int priority,
                                             unsigned long long count, int division,
                                             unsigned long long number) {
  BOBBIN_CALL_SITE_OF(function);
  create_for_loop({function, data, size, alignment}, flags, priority, count, division, number);
}

BOBBIN_NATIVE_ENTRY void bobbin_omp_replayable_taskloop(Function function, void* data,
                                                        unsigned long size, unsigned long alignment,
                                                        unsigned flags, int priority,
                                                        unsigned long long count, int division,
                                                        unsigned long long number,
                                                        void (*relocate)(void*, void*)) {
  BOBBIN_CALL_SITE_OF(function);
  create_for_loop({function, data, size, alignment, true, relocate}, flags, priority, count,
                  division, number);
}

BOBBIN_NATIVE_ENTRY int bobbin_omp_taskloop_chunk(unsigned long long count, unsigned flags,
                                                  int division, unsigned long long number,
                                                  unsigned long long chunk,
                                                  unsigned long long* range) {
  if (count == 0) return 0;
  const LoopDivision all =
      divide(self(), count, division, number, (flags & bobbin_omp_strict) != 0);
  if (chunk >= all.tasks) return 0;
  range[0] = all.begin_of(chunk);
  range[1] = all.begin_of(chunk + 1);
  return 1;
}

BOBBIN_NATIVE_ENTRY void bobbin_omp_taskwait() {
  const Thread* thread = tls_thread;
  if (thread != nullptr && !tool::watched && childless(*thread->task)) return;
  wait_for_children();
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_taskwait_depend(const bobbin_omp_dependence* depend,
                                                    unsigned long dependences, int nowait) {
  BOBBIN_CALL_SITE;
  if (nowait != 0) {
    create_empty_task(self(), list_of(depend, dependences));
  } else {
    taskwait(self(), list_of(depend, dependences));
  }
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_taskyield() {
  BOBBIN_CALL_SITE;
  taskyield(self());
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_taskgroup_begin() {
  BOBBIN_CALL_SITE;
  taskgroup_begin(self());
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_taskgroup_end() {
  BOBBIN_CALL_SITE;
  end_reducing_taskgroup(self());
}
