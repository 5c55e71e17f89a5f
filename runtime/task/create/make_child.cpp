// SPDX-License-Identifier: Apache-2.0
#include "task/create/make_child.h"

#include "task/create/look_ahead.h"
#include "task/create/make_task.h"
#include "task/create/prepared.h"
#include "task/create/scope.h"
#include "task/model/descriptor.h"
#include "task/model/extras.h"
#include "task/model/tool_events.h"
#include "task/run/modes.h"
#include "tool/own_events.h"

namespace bobbin {
namespace {

bool needs_extras(const Thread& thread, const TaskSpec& spec) {
  const Team& team = *thread.member->team;
  return !spec.depend.empty() || spec.event_handle != nullptr || spec.priority > 0 ||
         tool::watched ||
         ask_modes(team, [&](Mode& mode) { return mode.needs_extras(thread, spec); });
}

// nullptr: no memory.
Task* get_descriptor(Thread& thread, Task& parent, const TaskSpec& spec) {
  const WithExtras extras = needs_extras(thread, spec) ? WithExtras::Yes : WithExtras::No;
  Task* task = spec.prepared;
  if (task != nullptr) {
    equip_prepared(*task, extras, spec.size);
  } else {
    task = make_descriptor(thread, extras, spec.size, spec.alignment);
    if (task == nullptr) return nullptr;
  }
  task->inherit(parent, spec.final_task, spec.tied);
  return task;
}

void fill_rare(Thread& thread, Task& task, const RareSpec& rare) {
  if (rare.sibling) {
    task.parent = thread.task->parent;
    task.depth = task.depth - 1;
  }
  if (rare.scope != nullptr) {
    task.group = &group_of_scope(thread, *rare.scope);
    task.must_run = true;
  }
}

void fill(Thread& thread, Task& task, const TaskSpec& spec) {
  Team& team = *thread.member->team;
  task.function = spec.function;
  fill_rare(thread, task, *spec.rare);
  if (team.tasks_may_block) task.own_stack = true;
  if (task.extras != nullptr) {
    task.extras->team = &team;
    task.extras->priority = spec.priority;
    task.extras->construct = spec.construct();
  }
  tell_modes(team, [&](Mode& mode) { mode.make(thread, task, spec); });
  if (spec.event_handle != nullptr) {
    Event& event = task.extras->event;
    event.task = &task;
    task.extras->detached = true;
    give_handle(spec, event);
  }
  if (tool::watched) [[unlikely]]
    tell_task_create(thread, task, spec);
  if (spec.prepared == nullptr) construct_data(task, spec.data, spec.copy, spec.size);
}

}  // namespace

Task* make_child(Thread& thread, const TaskSpec& spec) {
  const tool::WatchedPhase phase(bobbin_phase_task_creation, thread.tool.code);
  const Member& member = *thread.member;
  bool check_memory = false;
  Task* task = make_task(
      thread, [&](Task& parent) { return get_descriptor(thread, parent, spec); },
      [&](Task& made) {
        fill(thread, made, spec);
        check_memory =
            memory_check_due(member, weight_of(made)) || member.bulk_unseen >= kMemoryCheckInterval;
      });
  if (check_memory) keep_memory_bound(thread);
  return task;
}

}  // namespace bobbin
