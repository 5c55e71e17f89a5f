// SPDX-License-Identifier: Apache-2.0
#include "abi/gomp/task_call.h"

#include "abi/call_site.h"
#include "abi/gomp/depend.h"
#include "abi/priority.h"
#include "task/create/create.h"
#include "task/create/defer_plain.h"
#include "task/model/tool_events.h"
#include "tool/own_events.h"

namespace bobbin::gomp {
namespace {

[[gnu::noinline]] void create_dependent_task(TaskSpec& spec, void** depend) {
  if (create_without_predecessors(self(), spec)) return;
  DecodedDepend decoded(depend);
  spec.depend = decoded.list();
  create_task(self(), spec);
}

[[gnu::always_inline]] inline void run_with_copy(void (*function)(void*), void* data,
                                                 void (*copy)(void*, void*), long size,
                                                 long alignment, Thread& thread, bool final_task,
                                                 bool tied) {
  if (copy == nullptr) {
    run_in_place(thread, function, data, final_task, tied);
  } else if (is_small_copy(size, alignment)) {
    run_small_copy_in_place(thread, function, data, copy, final_task, tied);
  } else {
    run_copy_in_place(function, data, copy, static_cast<size_t>(size),
                      static_cast<size_t>(alignment), thread, final_task, tied);
  }
}

// A dependent task that runs at once is not described. False: nothing has been done.
[[gnu::always_inline]] inline bool run_without_order(void (*function)(void*), void* data,
                                                     void (*copy)(void*, void*), long size,
                                                     long alignment, bool if_clause,
                                                     const RestOfCall& rest) {
  Thread* thread = tls_thread;
  if (thread == nullptr || !if_clause) return false;
  if ((rest.flags & ~(kUntied | kMergeable)) != kDepend) return false;
  const bool tied = (rest.flags & kUntied) == 0;
  if (!nothing_special(*thread) || !at_once_without_order(*thread, function, tied)) return false;
  const DurationSample sample(*thread->member);
  run_with_copy(function, data, copy, size, alignment, *thread, false, tied);
  sample.end(function);
  return true;
}

// `code`: the call site. Without a frame of their own the callers are faster, so the frame that the
// task has entered is this one.
[[gnu::noinline]] void create_as_described(void (*function)(void*), void* data,
                                           void (*copy)(void*, void*), long size, long alignment,
                                           bool if_clause, const RestOfCall& rest,
                                           const void* code) {
  const CallSite call_site(code, __builtin_frame_address(0),
                           reinterpret_cast<const void*>(function));
  TaskSpec spec;
  spec.function = function;
  spec.data = data;
  spec.copy = copy;
  spec.size = static_cast<size_t>(size);
  spec.alignment = static_cast<size_t>(alignment);
  spec.deferrable = if_clause;
  spec.final_task = (rest.flags & kFinal) != 0;
  spec.tied = (rest.flags & kUntied) == 0;
  spec.mergeable = (rest.flags & kMergeable) != 0;
  if ((rest.flags & kPriority) != 0) spec.priority = clamp_priority(rest.priority);
  if ((rest.flags & kDetach) != 0) spec.event_handle = static_cast<void**>(rest.event_handle);
  if ((rest.flags & kDepend) != 0) {
    create_dependent_task(spec, rest.depend);
  } else {
    spec.may_make_way = true;
    create_task(self(), spec);
  }
}

}  // namespace

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

template void take_fast_path<true>(void (*)(void*), void*, Thread&);
template void take_fast_path_with_copy<true>(void (*)(void*), void*, void (*)(void*, void*),
                                             Thread&);

[[gnu::noinline]] void create_described_task(void (*function)(void*), void* data,
                                             void (*copy)(void*, void*), long size, long alignment,
                                             bool if_clause, RestOfCall rest) {
  asm("" : "+m"(rest));  // so that it is passed as it is
  if (run_without_order(function, data, copy, size, alignment, if_clause, rest)) return;
  create_as_described(function, data, copy, size, alignment, if_clause, rest,
                      BOBBIN_RETURN_ADDRESS);
}

// The if clause is false, or the current task is final: the thread executes the new task before it
// continues.
[[gnu::noinline]] void create_undeferred_task(void (*function)(void*), void* data,
                                              void (*copy)(void*, void*), long size, long alignment,
                                              bool if_clause, RestOfCall rest) {
  asm("" : "+m"(rest));
  Thread* thread = tls_thread;
  if (thread == nullptr || !(if_clause ? surely_in_place(*thread) : surely_undeferred(*thread))) {
    create_as_described(function, data, copy, size, alignment, if_clause, rest,
                        BOBBIN_RETURN_ADDRESS);
    return;
  }
  bool final_task = (rest.flags & kFinal) != 0;
  bool tied = (rest.flags & kUntied) == 0;
  run_with_copy(function, data, copy, size, alignment, *thread, final_task, tied);
}

// A tool is told of the task, which is executed in place, in all events.
template <bool kTied>
[[gnu::noinline]] void run_told(void (*function)(void*), void* data, void (*copy)(void*, void*),
                                long size, long alignment, unsigned flags, Thread& thread,
                                const void* code) {
  void* const frame = __builtin_frame_address(0);
  const CallSite call_site(thread, code, frame);
  tool::TaskState state;
  tell_plain_task_create(
      thread, state,
      (kTied ? 0 : ompt_task_untied) | ((flags & kMergeable) != 0 ? ompt_task_mergeable : 0));
  tell_task_switch(thread, state, frame);
  run_with_copy(function, data, copy, size, alignment, thread, false, kTied);
  tell_task_end(thread, state, end_status(thread, thread.task->group));
}

// A tool is told of the task. True: it has been executed.
template <bool kTied>
[[gnu::noinline]] bool run_watched(void (*function)(void*), void* data, void (*copy)(void*, void*),
                                   long size, long alignment, unsigned flags, Thread& thread,
                                   const void* code) {
  if (!surely_in_place_watched(thread)) return false;
  if (tool::told_briefly(bobbin_brief_task, thread.tool.data, code)) {
    run_with_copy(function, data, copy, size, alignment, thread, false, kTied);
  } else {
    run_told<kTied>(function, data, copy, size, alignment, flags, thread, code);
  }
  return true;
}

// Thieves are to get the task, or the task has something special.
template <bool kTied>
[[gnu::noinline]] void create_deferred_task(void (*function)(void*), void* data,
                                            void (*copy)(void*, void*), long size, long alignment,
                                            bool if_clause, RestOfCall rest) {
  asm("" : "+m"(rest));
  Thread* thread = tls_thread;
  if (thread != nullptr && tool::watched) [[unlikely]] {
    const void* code =
        place_of_call(BOBBIN_RETURN_ADDRESS, reinterpret_cast<const void*>(function));
    if (run_watched<kTied>(function, data, copy, size, alignment, rest.flags, *thread, code)) {
      return;
    }
  } else if (thread != nullptr && ask_in_place(*thread)) {
    run_with_copy(function, data, copy, size, alignment, *thread, false, kTied);
    return;
  } else if (thread != nullptr &&
             defer_plain(*thread, function, data, copy, static_cast<size_t>(size),
                         static_cast<size_t>(alignment), kTied)) {
    return;
  }
  create_as_described(function, data, copy, size, alignment, if_clause, rest,
                      BOBBIN_RETURN_ADDRESS);
}

template void create_deferred_task<true>(void (*)(void*), void*, void (*)(void*, void*), long, long,
                                         bool, RestOfCall);

[[gnu::noinline]] void create_untied_task(void (*function)(void*), void* data,
                                          void (*copy)(void*, void*), long size, long alignment,
                                          bool if_clause, RestOfCall rest) {
  if (tool::watched) [[unlikely]] {
    create_as_described(function, data, copy, size, alignment, if_clause, rest,
                        BOBBIN_RETURN_ADDRESS);
    return;
  }
  create_plain_task<false>(function, data, copy, size, alignment, rest);
}

}  // namespace bobbin::gomp
