// SPDX-License-Identifier: Apache-2.0
// decide() says what becomes of a task: the encountering thread executes it at once, defers it, or
// executes it while the rest of the encountering task may be stolen. It does so for every kind of
// task, and each construct asks once.
//
// Entry points first make a quick test, which is inlined into them. Invariant: where a quick test
// says yes, decide() would say the same. Where it says no, decide() is asked.
#pragma once

#include <cstdint>

#include "sched/workers/pool.h"
#include "task/create/permits.h"
#include "task/model/child_count.h"
#include "task/model/childless.h"
#include "task/model/task_spec.h"
#include "task/model/taskgroup.h"
#include "task/run/modes.h"
#include "task/tuning/defer_limit.h"
#include "task/tuning/duration.h"
#include "team/model/team.h"

namespace bobbin {

// `spec` describes the task in full, its dependences included.
Decision decide(Thread& thread, const TaskSpec& spec);

// A thread executes a range of so many chunks of a taskloop. Shall it give half of them away?
bool splits_range(Thread& thread, uint64_t chunks, int priority, bool tied);

// --- The quick tests.

// The team has one thread and has deferred nothing before, so no thread would take the task.
inline bool nobody_else(const Team& team) { return team.serial() && !team.has_tasks.load(relaxed); }

inline bool nothing_special(const Thread& thread) {
  return !stack_nearly_used_up(thread) && !thread.member->team->unusual.load(relaxed) &&
         taskgroup_state(thread.task->group) == 0;
}

// For a task without clauses that matter, while a tool watches: in place. Without a tool, this and
// what is said of undeferred tasks is in permits.h.
inline bool surely_in_place_watched(const Thread& thread) {
  const Member& member = *thread.member;
  return is_enough(member, member.tasks.size_at_most()) && !stack_nearly_used_up(thread) &&
         !member.team->cancelled.load(relaxed) && taskgroup_state(thread.task->group) == 0 &&
         !thread.task->final_task;
}

// For a task without clauses that matter: deferred, and the memory bound need not be looked at.
inline bool surely_deferred(const Thread& thread) {
  const Member& member = *thread.member;
  const Team& team = *member.team;
  const Task& parent = *thread.task;
  return !is_enough(member, member.tasks.size_at_most()) && !nobody_else(team) &&
         !team.decided_by_mode && !team.unusual.load(relaxed) &&
         taskgroup_state(parent.group) == 0 && !parent.final_task && !memory_check_due(member);
}

// --- Dependences.

// For a task whose dependences have not been decoded, without clauses that matter beside depend.
// True: it is executed at once, because it is brief, and because nothing is under way that it could
// depend on.
inline bool at_once_without_order(Thread& thread, TaskFunction construct, bool tied) {
  if (tool::watched || thread.member->defers_all) return false;
  if (!order_is_empty(*thread.task)) return false;
  const Team& team = *thread.member->team;
  if (deferral_in_mode(thread, tied) >= Deferral::Yes) return false;
  if (!nobody_else(team)) {
    if (!treated_as_brief(thread, construct)) return false;
    thread.worker->counts.ask(Heuristic::BriefAtOnce, true);
  }
  forget_deferrals(thread.member->tuning);
  return true;
}

}  // namespace bobbin
