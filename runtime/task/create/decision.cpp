// SPDX-License-Identifier: Apache-2.0
#include "task/create/decision.h"

#include "task/create/depend_at_once.h"
#include "task/model/continuation.h"
#include "task/tuning/limits.h"

namespace bobbin {
namespace {

Decision decide_by_policy(Thread& thread, const TaskSpec& spec) {
  if (makes_continuations(thread) && spec.scope == nullptr) {
    // A parent that does not make way leaves something for thieves first.
    const bool makes_way = spec.may_make_way && may_leave_thread(thread);
    const bool may_continue = makes_way || (!spec.tied && !policy_defers(thread, spec.tied));
    if (may_continue && more_continuations_wanted(thread)) {
      return makes_way ? Decision::MakeWay : Decision::Continue;
    }
  }
  return policy_defers(thread, spec.tied) ? Decision::Defer : Decision::InPlace;
}

}  // namespace

Decision decide(Thread& thread, const TaskSpec& spec) {
  const Task& parent = *thread.task;
  const bool dependent = !spec.depend.empty();
  if (spec.scope == nullptr && tasks_cancelled(thread, parent.group)) return Decision::Discard;
  if (!spec.deferrable || parent.final_task) return Decision::InPlace;
  // The encountering task cannot wait for an event that it may have to fulfil itself.
  if (spec.event_handle != nullptr) return Decision::Defer;
  // In place, a task that blocks would keep its maker from going on, and a free agent may not
  // execute what is for the team.
  if (thread.member->defers_all) return Decision::Defer;
  if (nobody_else(*thread.member->team)) return Decision::InPlace;
  if (spec.look_ahead || spec.priority > 0) return Decision::Defer;
  if (dependent) return runs_at_once(thread, spec) ? Decision::AtOnce : Decision::Defer;
  if (creation_is_steered(thread)) return decide_by_policy(thread, spec);
  const int64_t queued = thread.member->tasks.size_at_most();
  return wants_more(thread, queued) ? Decision::Defer : Decision::InPlace;
}

bool splits_range(Thread& thread, uint64_t chunks, int priority, bool tied) {
  const Member& member = *thread.member;
  const Team& team = *member.team;
  if (chunks <= kSplitAtOnce * team.size || !enabled(Heuristic::LazySplit)) return true;
  bool wanted;
  if (priority > 0 || (tied && team.steals_continuations)) {  // as make_ready() has it
    wanted = team.priority_tasks.empty() || all_deferred_by_policy(thread);
  } else {
    wanted = member.tasks.size() < kEnoughRanges || deferred_by_policy(thread, tied);
  }
  thread.worker->counts.ask(Heuristic::LazySplit, wanted);
  return wanted;
}

}  // namespace bobbin
