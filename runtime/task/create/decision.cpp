// SPDX-License-Identifier: Apache-2.0
#include "task/create/decision.h"

#include "task/create/depend_at_once.h"
#include "task/tuning/limits.h"

namespace bobbin {

Decision decide(Thread& thread, const TaskSpec& spec) {
  const Task& parent = *thread.task;
  const bool dependent = !spec.depend.empty();
  if (spec.rare->scope == nullptr && tasks_cancelled(thread, parent.group))
    return Decision::Discard;
  if (!spec.deferrable || parent.final_task) return Decision::InPlace;
  // The encountering task cannot wait for an event that it may have to fulfil itself.
  if (spec.event_handle != nullptr) return Decision::Defer;
  // In place, a task that blocks would keep its maker from going on, and a free agent may not
  // execute what is for the team.
  if (thread.member->defers_all) return Decision::Defer;
  const Team& team = *thread.member->team;
  if (nobody_else(team)) return Decision::InPlace;
  if (spec.rare->look_ahead || spec.priority > 0) return Decision::Defer;
  if (dependent) return runs_at_once(thread, spec) ? Decision::AtOnce : Decision::Defer;
  const Decision decision = ask_modes(team, [&](Mode& mode) { return mode.decide(thread, spec); });
  if (decision != Decision::Undecided) return decision;
  const int64_t queued = thread.member->tasks.size_at_most();
  return is_enough(*thread.member, queued) ? Decision::InPlace : Decision::Defer;
}

bool splits_range(Thread& thread, uint64_t chunks, int priority, bool tied) {
  const Member& member = *thread.member;
  const Team& team = *member.team;
  if (chunks <= kSplitAtOnce * team.size || !enabled(Heuristic::LazySplit)) return true;
  bool wanted = priority > 0 ? team.priority_tasks.empty() : member.tasks.size() < kEnoughRanges;
  if (in_mode(team)) [[unlikely]] {
    const Deferral deferral = deferral_in_mode(thread, tied);
    if (priority > 0) {
      wanted = wanted || deferral == Deferral::Always;
    } else if (deferral != Deferral::Unsaid) {
      wanted = deferral != Deferral::No;
    }
  }
  thread.worker->counts.ask(Heuristic::LazySplit, wanted);
  return wanted;
}

}  // namespace bobbin
