// SPDX-License-Identifier: Apache-2.0
#include "task/modes/continuation_mode.h"

#include "fiber/context.h"
#include "task/model/continuation.h"
#include "task/modes/policy.h"
#include "task/run/priority.h"
#include "tool/events.h"

namespace bobbin {

void begin_continuations(Team& team) {
  if (team.icvs.task_policy.creation != Creation::Continuation) return;
  if (!context_switch_supported() || tool::watched || team.tasks_may_block) return;
  begin_mode<ContinuationMode>(team);
}

Decision ContinuationMode::decide(Thread& thread, const TaskSpec& spec) {
  if (spec.rare->scope != nullptr || !makes_continuations(thread)) return Decision::Undecided;
  // A parent that does not make way leaves something for thieves first.
  const bool makes_way = spec.may_make_way && may_leave_thread(thread);
  if (!makes_way && (spec.tied || policy_defers(thread, spec.tied))) return Decision::Undecided;
  if (!more_continuations_wanted(thread)) return Decision::Undecided;
  return makes_way ? Decision::MakeWay : Decision::Continue;
}

// Tied tasks go into a shared queue.
bool ContinuationMode::needs_extras(const Thread& /*thread*/, const TaskSpec& spec) {
  return spec.tied;
}

void ContinuationMode::make(Thread& thread, Task& task, const TaskSpec& spec) {
  if (!spec.tied && task.extras == nullptr && spec.rare->scope == nullptr)
    task.own_stack = makes_continuations(thread);
}

bool ContinuationMode::queue(Thread& /*thread*/, Team& team, Task& task) {
  if (!task.tied || task.extras == nullptr) return false;
  push_by_priority(team.priority_tasks, task);
  return true;
}

}  // namespace bobbin
