// SPDX-License-Identifier: Apache-2.0
#include "task/create/create.h"

#include <alloca.h>

#include <cstdlib>

#include "platform/diagnostics.h"
#include "platform/memory.h"
#include "sched/workers/pool.h"
#include "task/create/decision.h"
#include "task/create/in_place.h"
#include "task/create/look_ahead.h"
#include "task/create/make_child.h"
#include "task/create/prepared.h"
#include "task/depend/dependences.h"
#include "task/depend/transparent.h"
#include "task/model/childless.h"
#include "task/model/extras.h"
#include "task/model/taskgroup.h"
#include "task/model/tool_events.h"
#include "task/run/execute.h"
#include "task/run/modes.h"
#include "task/tuning/duration.h"
#include "task/wait/depend_wait.h"
#include "task/wait/detach.h"
#include "team/model/task_hooks.h"
#include "team/model/team.h"
#include "tool/own_events.h"

namespace bobbin {
namespace {

// The data lie on the caller's stack. The function is inlined, because alloca() takes the room from
// the frame that calls it.
[[gnu::always_inline]] inline void call_with_copy(void (*function)(void*), void* from,
                                                  void (*copy)(void*, void*), size_t size,
                                                  size_t alignment) {
  void* data = align_up(alloca(size + alignment - 1), alignment);
  copy(data, from);
  function(data);
}

// Runs the task at once, in place. It uses the encountering thread's data, and its descriptor lies
// on this stack.
void run_undeferred(Thread& thread, const TaskSpec& spec);

[[gnu::noinline]] void run_undeferred_elsewhere(Thread& thread, const TaskSpec& spec) {
  call_on_fresh_stack(thread, [&] { run_undeferred(thread, spec); });
}

void call_function(const TaskSpec& spec) {
  if (spec.copy != nullptr) {
    call_with_copy(spec.function, spec.data, spec.copy, spec.size, spec.alignment);
  } else {
    spec.function(spec.data);
  }
}

// The thread waits for the event, too. By then the structured block has ended, so the thread waits
// as part of the creating task, and may execute the sibling that fulfils the event.
[[gnu::noinline]] void run_detachable(Thread& thread, const TaskSpec& spec) {
  Task task(*thread.task, spec.final_task, spec.tied);
  thread.task = &task;
  Event event;
  event.waiter = &thread;
  give_handle(spec, event);
  call_function(spec);
  end_in_place(thread, task);
  await_event(thread, event);
}

// The children of the task may outlive it. They then belong to the order around the task.
[[gnu::noinline]] void run_exporting(Thread& thread, const TaskSpec& spec) {
  Task* task = spec.prepared != nullptr ? spec.prepared : prepare_task(thread, 0);
  if (task == nullptr) {
    TaskSpec final_one = spec;  // no memory: then none outlives it
    RareSpec rare = *spec.rare;
    final_one.final_task = true;
    rare.impex = Impex::None;
    final_one.rare = &rare;
    run_undeferred(thread, final_one);
    return;
  }
  if (spec.prepared == nullptr && spec.event_handle != nullptr) {
    give_handle(spec, prepare_event(thread, *task, 0));
  }
  const size_t bytes = spec.prepared != nullptr ? spec.size : 0;
  begin_prepared(thread, *task, bytes, spec.final_task, spec.tied, spec.rare->impex);
  if (spec.prepared != nullptr) {
    spec.function(task->data);
  } else {
    call_function(spec);
  }
  end_prepared(thread, *task, bytes);
}

void run_undeferred(Thread& thread, const TaskSpec& spec) {
  if (stack_nearly_used_up(thread)) [[unlikely]] {
    run_undeferred_elsewhere(thread, spec);
    return;
  }
  if (exports(spec.rare->impex)) [[unlikely]] {
    run_exporting(thread, spec);
    return;
  }
  if (spec.prepared != nullptr) {
    run_prepared(thread, spec);
    return;
  }
  if (spec.event_handle != nullptr) [[unlikely]] {
    run_detachable(thread, spec);
  } else if (spec.copy != nullptr) {
    run_copy_in_place(spec.function, spec.data, spec.copy, spec.size, spec.alignment, thread,
                      spec.final_task, spec.tied);
  } else {
    run_in_place(thread, spec.function, spec.data, spec.final_task, spec.tied);
  }
}

void run_timed(Thread& thread, const TaskSpec& spec) {
  DurationSample sample(*thread.member);
  run_undeferred(thread, spec);
  sample.end(spec.construct());
}

bool register_task(Thread& thread, Task& task, const TaskSpec& spec) {
  const tool::WatchedPhase phase(bobbin_phase_dependence_check, thread.tool.code);
  if (spec.rare->impex == Impex::None) [[likely]]
    return register_dependences(thread, task, spec.depend);
  return register_transparent(thread, task, spec.depend, spec.rare->impex);
}

// In a team of one no other thread takes the task, unless a mode knows one, and the program may
// next wait for it without a scheduling point. (Such a task is deferred if it is detachable: its
// creator must not wait for the event.)
bool begin_alone(Thread& thread, Task& task) {
  const Team& team = *thread.member->team;
  if (!team.serial() || !may_go_on_in_mode(thread, task)) return false;
  begin_task(thread, task);
  return true;
}

void offer(Thread& thread, Task& task) {
  const tool::WatchedPhase phase(bobbin_phase_task_creation, thread.tool.code);
  if (!begin_alone(thread, task)) make_ready(thread, task);
}

bool defer_dependent(Thread& thread, const TaskSpec& spec) {
  DeferralSample sample(*thread.member);
  Task* task = make_child(thread, spec);
  if (task == nullptr) return false;
  if (register_task(thread, *task, spec)) offer(thread, *task);
  sample.end();
  if (far_ahead(thread, spec)) run_some_children(thread);
  return true;
}

bool defer(Thread& thread, const TaskSpec& spec) {
  if (!spec.depend.empty()) return defer_dependent(thread, spec);
  Task* task = make_child(thread, spec);
  if (task == nullptr) return false;
  offer(thread, *task);
  return true;
}

void discard(Thread& thread, const TaskSpec& spec) {
  if (spec.prepared != nullptr) {
    discard_prepared(thread, spec);
  } else if (spec.event_handle != nullptr) {
    *spec.event_handle = &nobodys_event;
  }
}

// Runs the task at once, unless it is cancelled.
void run_or_discard(Thread& thread, const TaskSpec& spec) {
  if (!tasks_cancelled(thread, thread.task->group)) {
    run_timed(thread, spec);
  } else {
    discard(thread, spec);
  }
}

// Runs the task in the encountering thread, after its predecessors. One of them may cancel it.
void run_in_order(Thread& thread, const TaskSpec& spec) {
  Thread* now = &thread;  // the thread that goes on
  if (!spec.depend.empty() && !nobody_else(*thread.member->team)) {
    now = &wait_for_dependences(thread, spec.depend);
    if (tasks_cancelled(*now, now->task->group)) {
      discard(*now, spec);
      return;
    }
  }
  run_undeferred(*now, spec);
}

// A task that is not deferred. A tool is told of it.
[[gnu::noinline]] void run_watched(Thread& thread, const TaskSpec& spec) {
  tool::TaskState state;
  tell_task_create(thread, state, spec);
  // The thread that goes on.
  Thread& now = spec.depend.empty() ? thread : wait_for_dependences(thread, spec.depend);
  if (spec.rare->scope == nullptr && tasks_cancelled(now, now.task->group)) {
    tell_task_discarded(now, state);
    discard(now, spec);
    return;
  }
  tell_task_switch(now, state, __builtin_frame_address(0));
  run_undeferred(now, spec);
  tell_task_end(now, state, end_status(now, now.task->group));
}

// To decide, the thread looks for predecessors, of which some tasks have none left.
[[gnu::noinline]] Decision decide_watched(Thread& thread, const TaskSpec& spec) {
  if (spec.depend.empty()) return decide(thread, spec);
  const tool::WatchedPhase phase(bobbin_phase_dependence_check, thread.tool.code);
  return decide(thread, spec);
}

// Makes a task that is executed later, or that a mode executes. False: it is executed now.
bool make_as_decided(Thread& thread, const TaskSpec& spec, Decision decision) {
  if (decision == Decision::ByMode) {
    return ask_modes(*thread.member->team, [&](Mode& mode) { return mode.create(thread, spec); }) ||
           (deferral_in_mode(thread, spec.tied) >= Deferral::Yes && defer(thread, spec));
  }
  if (decision != Decision::Defer) return false;
  if (defer(thread, spec)) return true;
  // The creating task cannot wait for an event that it may have to fulfil itself.
  if (spec.event_handle != nullptr) fatal("out of memory for a detachable task");
  return false;
}

void create_as_decided(Thread& thread, const TaskSpec& spec) {
  const Decision decision = tool::watched ? decide_watched(thread, spec) : decide(thread, spec);
  if (make_as_decided(thread, spec, decision)) return;
  if (tool::watched) [[unlikely]] {
    run_watched(thread, spec);
  } else if (decision == Decision::Discard) {
    discard(thread, spec);
  } else if (decision == Decision::AtOnce) {
    // A predecessor may have cancelled it meanwhile.
    run_or_discard(thread, spec);
  } else {
    run_in_order(thread, spec);
  }
}

[[gnu::noinline]] void create_offered(Thread& thread, const TaskSpec& spec) {
  RareSpec rare = *spec.rare;
  TaskSpec offered = spec;
  offered.rare = &rare;
  offer_to_modes(thread, offered, rare);
  create_as_decided(thread, offered);
}

void create(Thread& thread, const TaskSpec& spec) {
  if (collect_in_mode(thread, spec)) [[unlikely]]
    return;
  if (spec.rare->for_pool) [[unlikely]] {
    create_offered(thread, spec);
  } else {
    create_as_decided(thread, spec);
  }
}

// For a task that may have been marked as transparent.
[[gnu::noinline]] void create_marked(Thread& thread, const TaskSpec& spec) {
  RareSpec rare = *spec.rare;
  rare.impex = take_impex(thread);
  // Without dependences it has no place in an order.
  if (spec.deferrable && spec.depend.empty()) rare.impex = Impex::None;
  // Where a mode orders the tasks of this group, the task waits as others do.
  if (imports(rare.impex) &&
      ask_modes(*thread.member->team, [&](Mode& mode) { return mode.orders(thread); })) {
    rare.impex = exports(rare.impex) ? Impex::Export : Impex::None;
  }
  TaskSpec marked = spec;
  marked.rare = &rare;
  create(thread, marked);
}

}  // namespace

bool create_without_predecessors(Thread& thread, const TaskSpec& spec) {
  if (spec.event_handle != nullptr || spec.priority > 0) return false;
  if (!at_once_without_order(thread, spec.construct(), spec.tied)) return false;
  run_or_discard(thread, spec);
  return true;
}

void run_copy_in_place(void (*function)(void*), void* data, void (*copy)(void*, void*), size_t size,
                       size_t alignment, Thread& thread, bool final_task, bool tied) {
  Task task(*thread.task, final_task, tied);
  thread.task = &task;
  call_with_copy(function, data, copy, size, alignment);
  end_in_place(thread, task);
}

void create_empty_task(Thread& thread, const DependList& depend) {
  TaskSpec spec;
  spec.function = [](void*) {};
  spec.depend = depend;
  spec.rare = &kReplayable;
  create(thread, spec);
}

void create_opaque_task(Thread& thread, const TaskSpec& spec) { create(thread, spec); }

void create_task(Thread& thread, const TaskSpec& spec) {
  if (thread.task->order_goes_beyond && (spec.depend.has_clauses() || !spec.deferrable))
      [[unlikely]] {
    create_marked(thread, spec);
  } else {
    create(thread, spec);
  }
}

}  // namespace bobbin
