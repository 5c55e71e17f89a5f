// SPDX-License-Identifier: Apache-2.0
#include "abi/export.h"
#include "abi/gomp/depend.h"
#include "abi/gomp/task_flags.h"
#include "abi/priority.h"
#include "task/create/create.h"
#include "task/create/decision.h"
#include "task/create/defer_plain.h"
#include "task/create/in_place.h"
#include "task/depend/dependences.h"
#include "task/model/childless.h"
#include "task/model/taskgroup.h"
#include "task/run/depend_wait.h"
#include "task/run/wait.h"

using namespace bobbin;
using namespace bobbin::gomp;

namespace {

[[gnu::noinline]] void create_dependent_task(TaskSpec& spec, void** depend) {
  if (create_without_predecessors(self(), spec)) return;
  DecodedDepend decoded(depend);
  spec.depend = decoded.list();
  create_task(self(), spec);
}

// The fast paths are out of line, so that the entry point has no frame before the decision.
template <bool kTied>
[[gnu::noinline]] void take_fast_path(void (*function)(void*), void* data, Thread& thread) {
  run_in_place(thread, function, data, false, kTied);
}

template <bool kTied>
[[gnu::noinline]] void take_fast_path_with_copy(void (*function)(void*), void* data,
                                                void (*copy)(void*, void*), Thread& thread) {
  run_small_copy_in_place(thread, function, data, copy, false, kTied);
}

// The last arguments. On x86-64 they are passed in memory, whether one by one or together.
struct RestOfCall {
  alignas(8) unsigned flags;
  alignas(8) void** depend;
  alignas(8) int priority;
  alignas(8) void* event_handle;
};

[[gnu::noinline]] void create_described_task(void (*function)(void*), void* data,
                                             void (*copy)(void*, void*), long size, long alignment,
                                             bool if_clause, RestOfCall rest) {
  asm("" : "+m"(rest));  // so that it is passed as it is
  TaskSpec spec;
  spec.function = function;
  spec.data = data;
  spec.copy = copy;
  spec.size = static_cast<size_t>(size);
  spec.alignment = static_cast<size_t>(alignment);
  spec.deferrable = if_clause;
  spec.final_task = (rest.flags & kFinal) != 0;
  spec.tied = (rest.flags & kUntied) == 0;
  if ((rest.flags & kPriority) != 0) spec.priority = clamp_priority(rest.priority);
  if ((rest.flags & kDetach) != 0) spec.event_handle = static_cast<void**>(rest.event_handle);
  if ((rest.flags & kDepend) != 0) {
    create_dependent_task(spec, rest.depend);
  } else {
    spec.may_make_way = true;
    create_task(self(), spec);
  }
}

// The if clause is false, or the current task is final: the thread executes the new task before it
// continues.
[[gnu::noinline]] void create_undeferred_task(void (*function)(void*), void* data,
                                              void (*copy)(void*, void*), long size, long alignment,
                                              bool if_clause, RestOfCall rest) {
  asm("" : "+m"(rest));
  Thread* thread = tls_thread;
  if (thread == nullptr || (if_clause && !thread->task->final_task) ||
      !surely_undeferred(*thread)) {
    create_described_task(function, data, copy, size, alignment, if_clause, rest);
    return;
  }
  bool final_task = (rest.flags & kFinal) != 0;
  bool tied = (rest.flags & kUntied) == 0;
  if (copy == nullptr) {
    run_in_place(*thread, function, data, final_task, tied);
  } else if (is_small_copy(size, alignment)) {
    run_small_copy_in_place(*thread, function, data, copy, final_task, tied);
  } else {
    run_copy_in_place(function, data, copy, static_cast<size_t>(size),
                      static_cast<size_t>(alignment), *thread, final_task, tied);
  }
}

// Thieves are to get the task, or the task has something special.
template <bool kTied>
[[gnu::noinline]] void create_deferred_task(void (*function)(void*), void* data,
                                            void (*copy)(void*, void*), long size, long alignment,
                                            bool if_clause, RestOfCall rest) {
  asm("" : "+m"(rest));
  Thread* thread = tls_thread;
  if (thread != nullptr && thread->task->final_task) {
    create_undeferred_task(function, data, copy, size, alignment, if_clause, rest);
    return;
  }
  if (thread != nullptr && defer_plain(*thread, function, data, copy, static_cast<size_t>(size),
                                       static_cast<size_t>(alignment), kTied)) {
    return;
  }
  create_described_task(function, data, copy, size, alignment, if_clause, rest);
}

// The case that must be fast.
template <bool kTied>
[[gnu::always_inline]] inline void create_plain_task(void (*function)(void*), void* data,
                                                     void (*copy)(void*, void*), long size,
                                                     long alignment, RestOfCall& rest) {
  Thread* thread = tls_thread;
  if (thread == nullptr || !surely_in_place(*thread)) [[unlikely]] {
    create_deferred_task<kTied>(function, data, copy, size, alignment, true, rest);
  } else if (copy == nullptr) {
    take_fast_path<kTied>(function, data, *thread);
  } else if (is_small_copy(size, alignment)) {
    take_fast_path_with_copy<kTied>(function, data, copy, *thread);
  } else {
    run_copy_in_place(function, data, copy, static_cast<size_t>(size),
                      static_cast<size_t>(alignment), *thread, false, kTied);
  }
}

[[gnu::noinline]] void create_untied_task(void (*function)(void*), void* data,
                                          void (*copy)(void*, void*), long size, long alignment,
                                          bool /*if_clause*/, RestOfCall rest) {
  create_plain_task<false>(function, data, copy, size, alignment, rest);
}

[[gnu::always_inline]] inline void create(void (*function)(void*), void* data,
                                          void (*copy)(void*, void*), long size, long alignment,
                                          bool if_clause, RestOfCall& rest) {
  if ((rest.flags & ~kMergeable) == 0 && if_clause) [[likely]] {
    create_plain_task<true>(function, data, copy, size, alignment, rest);
  } else if ((rest.flags & ~(kUntied | kMergeable)) == 0 && if_clause) {
    create_untied_task(function, data, copy, size, alignment, if_clause, rest);
  } else if ((rest.flags & ~(kUntied | kMergeable | kFinal)) == 0) {
    create_undeferred_task(function, data, copy, size, alignment, if_clause, rest);
  } else {
    create_described_task(function, data, copy, size, alignment, if_clause, rest);
  }
}

[[gnu::noinline]] void wait_for_children() { taskwait(self()); }

}  // namespace

#if defined(__x86_64__)
// If the last arguments were declared one by one, GCC would load them at once, into registers that
// it has to save first.
BOBBIN_ENTRY void GOMP_task(void (*function)(void*), void* data, void (*copy)(void*, void*),
                            long size, long alignment, bool if_clause, RestOfCall rest) {
  create(function, data, copy, size, alignment, if_clause, rest);
}
#else
BOBBIN_ENTRY void GOMP_task(void (*function)(void*), void* data, void (*copy)(void*, void*),
                            long size, long alignment, bool if_clause, unsigned flags,
                            void** depend, int priority, void* event_handle) {
  RestOfCall rest{flags, depend, priority, event_handle};
  create(function, data, copy, size, alignment, if_clause, rest);
}
#endif

BOBBIN_ENTRY void GOMP_taskwait() {
  const Thread* thread = tls_thread;
  if (thread != nullptr && childless(*thread->task)) return;
  wait_for_children();
}

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
