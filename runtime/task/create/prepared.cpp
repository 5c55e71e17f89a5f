// SPDX-License-Identifier: Apache-2.0
#include "task/create/prepared.h"

#include <new>

#include "platform/diagnostics.h"
#include "platform/watchers/happens_before.h"
#include "task/depend/transparent.h"
#include "task/model/completion.h"
#include "task/model/discard.h"
#include "task/model/tool_events.h"
#include "task/wait/detach.h"
#include "team/model/task_hooks.h"

namespace bobbin {
namespace {

bool is_detached(const Task& task) { return task.extras != nullptr && task.extras->detached; }

}  // namespace

void* take_new_small_block(Thread& thread) {
  void* block = take_task_block(*thread.worker, kSmallBlock);
  if (block != nullptr) forget_order(block, kSmallBlock);
  return block;
}

void free_prepared(Thread& thread, Task& task) {
  if (task.extras != nullptr) release_extras(task);
  free_descriptor(*thread.worker, &task);
}

Event& prepare_event(Thread& thread, Task& task, size_t bytes) {
  equip_prepared(task, WithExtras::Yes, bytes);
  TaskExtras& extras = *task.extras;
  extras.team = thread.member->team;
  extras.detached = true;
  extras.event.task = &task;
  return extras.event;
}

namespace {

// The task begins as if it had been deferred and taken at once. Its parent is on the heap.
[[gnu::noinline]] void begin_as_deferred(Thread& thread, Task& task, bool final_task, bool tied,
                                         Impex impex) {
  Task& parent = *thread.task;
  task.runner = &thread;
  task.inherit(parent, final_task, tied);
  parent.references.fetch_add(1, relaxed);
  if (is_detached(task)) task.extras->event.waiter = &thread;
  thread.task = &task;
  if (exports(impex)) begin_exporting(task);
  if (tool::watched && state_of(task) != nullptr) {
    tell_task_switch(thread, *state_of(task), __builtin_frame_address(0));
  }
}

// An undeferred task: it is complete without its event, because no other thread knows the event
// yet.
void leave_to_event_at_once(Task& task) {
  task.extras->event.waiter = nullptr;
  leave_to_event(task);
}

[[gnu::noinline]] void end_as_deferred(Thread& thread, Task& task) {
  const bool without_event = is_detached(task) && task.discarded;
  if (task.in_order) export_children(thread);
  if (tool::watched && state_of(task) != nullptr) {
    tell_task_end(thread, *state_of(task), end_status(thread, task.group));
  }
  Task* parent = task.parent;
  thread.task = parent;
  thread.withdraw_permits();
  // The thread waits as part of the parent, so it may execute the sibling that fulfils the event.
  if (is_detached(task) && !without_event) await_event(thread, task.extras->event);
  if (without_event) {
    leave_to_event_at_once(task);
    drop_reference(parent);
  } else {
    drop_reference(&task);
  }
}

}  // namespace

static_assert(sizeof(TaskExtras) >= sizeof(Task) && alignof(TaskExtras) >= alignof(Task));

// Between the two calls the runtime has no frame in which a descriptor could lie. If nothing is
// special, that of an undeferred task lies in the room for extras, which it does not need. It must
// not be the prepared one: its parent may be on a stack (task/model/constraint.h).
void begin_prepared(Thread& thread, Task& task, size_t bytes, bool final_task, bool tied,
                    Impex impex) {
  if (task.extras != nullptr || exports(impex)) {
    if (promote_current(thread)) {
      begin_as_deferred(thread, task, final_task, tied, impex);
      return;
    }
    if (task.extras != nullptr) fatal("out of memory for a detachable task");
    final_task = true;  // deferred children of it could outlive the parent
  }
  thread.task = new (room_for_extras(task, bytes)) Task(*thread.task, final_task, tied);
}

void end_prepared(Thread& thread, Task& task, size_t bytes) {
  if (thread.task == &task) {
    end_as_deferred(thread, task);
  } else {
    end_in_place(thread, *static_cast<Task*>(room_for_extras(task, bytes)));
    free_prepared(thread, task);
  }
}

void equip_prepared(Task& task, WithExtras extras, size_t bytes) {
  if (extras == WithExtras::No || task.extras != nullptr) return;
  equip(task, bytes);
}

void run_prepared(Thread& thread, const TaskSpec& spec) {
  Task& task = *spec.prepared;
  bool detached = is_detached(task);
  if (detached) task.extras->event.waiter = &thread;
  run_in_place(thread, spec.function, task.data, spec.final_task, spec.tied);
  if (detached && task.discarded) {
    leave_to_event_at_once(task);
    return;
  }
  if (detached) await_event(thread, task.extras->event);
  free_prepared(thread, task);
}

void discard_prepared(Thread& thread, const TaskSpec& spec) {
  Task& task = *spec.prepared;
  if (task.must_run) spec.function(task.data);
  if (is_detached(task)) {
    leave_to_event(task);
  } else {
    free_prepared(thread, task);
  }
}

}  // namespace bobbin
