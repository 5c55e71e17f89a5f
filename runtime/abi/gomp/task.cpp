// SPDX-License-Identifier: Apache-2.0
#include "abi/export.h"
#include "abi/gomp/depend.h"
#include "abi/gomp/task_flags.h"
#include "abi/priority.h"
#include "task/create.h"
#include "task/depend.h"
#include "task/in_place.h"
#include "task/schedule.h"
#include "task/taskgroup.h"

using namespace bobbin;
using namespace bobbin::gomp;

namespace {

[[gnu::noinline]] void create_dependent_task(TaskSpec& spec, void** depend) {
  if (create_without_predecessors(self(), spec)) return;
  DecodedDepend decoded(depend);
  spec.depend = decoded.list();
  create_task(self(), spec);
}

// Out of line, so that the entry point has no frame before the decision.
[[gnu::noinline]] void take_fast_path(Thread& thread, void (*function)(void*), void* data,
                                      bool tied) {
  run_in_place(thread, function, data, false, tied);
}

[[gnu::noinline]] void create_described_task(void (*function)(void*), void* data,
                                             void (*copy)(void*, void*), long size, long alignment,
                                             bool if_clause, unsigned flags, void** depend,
                                             int priority, void* event_handle) {
  TaskSpec spec;
  spec.function = function;
  spec.data = data;
  spec.copy = copy;
  spec.size = static_cast<size_t>(size);
  spec.alignment = static_cast<size_t>(alignment);
  spec.deferrable = if_clause;
  spec.final_task = (flags & kFinal) != 0;
  spec.tied = (flags & kUntied) == 0;
  if ((flags & kPriority) != 0) spec.priority = clamp_priority(priority);
  if ((flags & kDetach) != 0) spec.event_handle = static_cast<void**>(event_handle);
  if ((flags & kDepend) != 0) {
    create_dependent_task(spec, depend);
  } else {
    spec.may_make_way = true;
    create_task(self(), spec);
  }
}

}  // namespace

BOBBIN_ENTRY void GOMP_task(void (*function)(void*), void* data, void (*copy)(void*, void*),
                            long size, long alignment, bool if_clause, unsigned flags,
                            void** depend, int priority, void* event_handle) {
  constexpr unsigned kPlain = kUntied | kMergeable;
  if ((flags & ~kPlain) == 0 && if_clause) [[likely]] {
    Thread* thread = tls_thread;
    if (thread != nullptr && may_run_in_place(*thread)) [[likely]] {
      bool tied = (flags & kUntied) == 0;
      if (copy == nullptr) {
        take_fast_path(*thread, function, data, tied);
      } else {
        run_copy_in_place(*thread, function, data, copy, static_cast<size_t>(size),
                          static_cast<size_t>(alignment), false, tied);
      }
      return;
    }
  }
  create_described_task(function, data, copy, size, alignment, if_clause, flags, depend, priority,
                        event_handle);
}

BOBBIN_ENTRY void GOMP_taskwait() { taskwait(self()); }

BOBBIN_ENTRY void GOMP_taskwait_depend(void** depend) {
  DecodedDepend decoded(depend);
  wait_for_dependences(self(), decoded.list());
}

// GCC 14: an empty task that others may depend on.
BOBBIN_ENTRY void GOMP_taskwait_depend_nowait(void** depend) {
  DecodedDepend decoded(depend);
  create_empty_task(self(), decoded.list());
}

BOBBIN_ENTRY void GOMP_taskyield() { taskyield(self()); }

BOBBIN_ENTRY void GOMP_taskgroup_start() { taskgroup_begin(self()); }
BOBBIN_ENTRY void GOMP_taskgroup_end() { taskgroup_end(self()); }
