// SPDX-License-Identifier: Apache-2.0
#include "task/modes/continuation_mode.h"

#include "fiber/context/context.h"
#include "task/create/make_child.h"
#include "task/modes/continuation_stealing.h"
#include "task/modes/policy.h"
#include "task/run/priority.h"
#include "tool/events.h"

namespace bobbin {
namespace {

// May the rest of the current task be stolen while the new one is executed?
bool makes_way(const Thread& thread, const TaskSpec& spec) {
  return spec.may_make_way && may_leave_thread(thread);
}

// Has the task extras only because a tool watches?
bool only_watched(const TaskSpec& spec) {
  return tool::watched && spec.depend.empty() && spec.event_handle == nullptr &&
         spec.priority <= 0 && !spec.rare->for_pool;
}

}  // namespace

void begin_continuations(Team& team) {
  if (team.icvs.task_policy.creation != Creation::Continuation) return;
  if (!context_switch_supported() || team.tasks_may_block) return;
  begin_mode<ContinuationMode>(team);
}

Decision ContinuationMode::decide(Thread& thread, const TaskSpec& spec) {
  if (spec.rare->scope != nullptr || !makes_continuations(thread)) return Decision::Undecided;
  // A parent that does not make way leaves something for thieves first.
  if (!makes_way(thread, spec) && (spec.tied || policy_defers(thread, spec.tied)))
    return Decision::Undecided;
  return more_continuations_wanted(thread) ? Decision::ByMode : Decision::Undecided;
}

// The child begins at once, if there is a stack and memory for it.
bool ContinuationMode::create(Thread& thread, const TaskSpec& spec) {
  Continuation* continuation = take_continuation(thread);
  if (continuation == nullptr) return false;
  Task* child = make_child(thread, spec);
  if (child == nullptr) {
    give_continuation(thread, *continuation);
    return false;
  }
  if (makes_way(thread, spec)) {
    make_way(thread, *continuation, *child);
  } else {
    run_as_continuation(thread, *continuation, *child);
  }
  return true;
}

// Tied tasks go into a shared queue.
bool ContinuationMode::needs_extras(const Thread& /*thread*/, const TaskSpec& spec) {
  return spec.tied;
}

void ContinuationMode::make(Thread& thread, Task& task, const TaskSpec& spec) {
  const bool plain = task.extras == nullptr || only_watched(spec);
  if (!spec.tied && plain && spec.rare->scope == nullptr)
    task.own_stack = makes_continuations(thread);
}

bool ContinuationMode::queue(Thread& /*thread*/, Team& team, Task& task) {
  if (!task.tied || task.extras == nullptr) return false;
  push_by_priority(team.priority_tasks, task);
  return true;
}

}  // namespace bobbin
