// SPDX-License-Identifier: Apache-2.0
#include "task/run/schedule.h"

#include "sched/workers/pool.h"
#include "sched/workers/program_poller.h"
#include "task/model/completion.h"
#include "task/model/constraint.h"
#include "task/model/continuation.h"
#include "task/model/extras.h"
#include "task/run/execute.h"
#include "task/run/find_in_mode.h"
#include "task/run/priority.h"
#include "task/run/ready.h"
#include "task/tuning/duration.h"
#include "task/tuning/limits.h"
#include "task/tuning/steal.h"
#include "team/model/task_hooks.h"
#include "team/regions/free_agents.h"

namespace bobbin {

namespace {

// Executes the first of the tasks that were stolen at once, and the others from the own deque.
template <class Fits>
void execute_stolen(Thread& thread, Found found, Fits&& fits, Completions& completions) {
  Member& member = *thread.member;
  const Team& team = *member.team;
  StealSample sample(found.stolen, found.claimed_in);
  unsigned executed = 0;
  Task* task = found.task;
  while (true) {
    if (begin_task(thread, *task, completions)) executed++;
    if (--found.stolen == 0 || !team.priority_tasks.empty()) break;
    task = member.tasks.deque().pop_if(fits);
    if (task == nullptr) break;
    thread.worker->pass_scheduling_point();
  }
  sample.end(thread, executed);
}

bool queued_for_all(const Team& team) {
  return !team.priority_tasks.empty() ||
         ask_modes(team, [&](Mode& mode) { return mode.holds(team); });
}

bool queued_by_members(const Team& team) {
  for (unsigned num = 0; num < team.size; num++) {
    if (team.members[num]->tasks.size() > 0) return true;
  }
  return false;
}

// The thread found nothing that it may begin, but others may be able to begin what is queued. A
// thread that queues a task looks at the offer after a fence; this thread looks at the queues after
// one. So if this thread misses a task, the task's maker makes the offer again. If the offer was
// withdrawn in error, a thread that looked at it meanwhile may have gone to sleep and must be
// woken.
void withdraw_offer(Thread& thread, Team& team) {
  if (!team.tasks_offered.load(relaxed) || tasks_queued(team)) return;
  team.tasks_offered.store(false, relaxed);
  fence(seq_cst);
  if (queued_for_all(team) || queued_by_members(team)) tell_about_task(thread, team);
}

// Does another thread have so many that they are not the last ones?
bool enough_with_others(const Member& member) {
  const Team& team = *member.team;
  for (unsigned num = 0; num < team.size; num++) {
    if (num != member.num && team.members[num]->tasks.size() >= kLowestDeferLimit) return true;
  }
  return false;
}

bool is_short(const Task& task) {
  return task.extras != nullptr && task_durations.worth_taking_part(task.extras->construct);
}

// Resting members are woken one by one. Until one of them has begun to look, wake-ups for further
// tasks reach the same one again. So a thread that has stolen a task wakes another one for
// the tasks that it leaves.
[[gnu::noinline]] void wake_another(Thread& thread, Team& team) {
  fence(seq_cst);  // this thread no longer rests: a task made after this look wakes another one
  if (tasks_queued(team)) wake_for_tasks(team, thread);
}

template <Sleep kSleep>
bool run_a_fitting_task(Thread& thread, Completions& completions) {
  thread.worker->pass_scheduling_point();
  poll_program();
  if (has_returner(thread)) [[unlikely]] {
    if constexpr (kSleep != Sleep::None) sleep_no_more(thread, kSleep);
    completions.settle();
    run_returner(thread);
    return true;
  }
  Team& team = *thread.member->team;
  auto fits = [&](const Task* task) { return may_begin(thread, *task); };
  Found found =
      in_mode(team) ? find_in_mode(thread, completions) : find_task(thread, fits, completions);
  if (found.task == nullptr) {
    completions.settle();
    if (ask_modes(team, [&](Mode& mode) { return mode.run_another(thread, kSleep); })) return true;
    withdraw_offer(thread, team);
    return false;
  }
  if constexpr (kSleep != Sleep::None) sleep_no_more(thread, kSleep);
  if (found.stolen != 0) {
    if (provider.calls_resting) wake_another(thread, team);
    execute_stolen(thread, found, fits, completions);
  } else {
    begin_task(thread, *found.task, completions);
  }
  return true;
}

}  // namespace

bool run_a_task(Thread& thread) {
  Completions completions(thread);
  return run_a_fitting_task<Sleep::None>(thread, completions);
}

bool run_a_task(Thread& thread, Sleep sleep) {
  Completions completions(thread);
  switch (sleep) {
    case Sleep::None:
      return run_a_fitting_task<Sleep::None>(thread, completions);
    case Sleep::Announced:
      return run_a_fitting_task<Sleep::Announced>(thread, completions);
    case Sleep::Ended:
      return run_a_fitting_task<Sleep::Ended>(thread, completions);
  }
  __builtin_unreachable();
}

bool run_tasks_at_barrier(Thread& thread) {
  Completions completions(thread);
  const Task* outer = thread.at_barrier;
  thread.at_barrier = thread.task;
  unsigned run = 0;
  while (run < kMostTogether && run_a_fitting_task<Sleep::None>(thread, completions)) run++;
  thread.at_barrier = outer;
  return run != 0;
}

bool run_short_children(Thread& thread) {
  Member& member = *thread.member;
  Team& team = *member.team;
  if (in_mode(team)) return false;
  if (member.tasks.size() == 0 && !enough_with_others(member)) return false;
  thread.worker->pass_scheduling_point();
  auto child = [&](const Task* task) { return task->parent == thread.task; };
  Completions completions(thread);
  Found found = find_task(thread, child, completions);
  if (found.task == nullptr) return false;
  if (found.stolen != 0 && is_short(*found.task)) {
    execute_stolen(thread, found, child, completions);
    return true;
  }
  unsigned executed = 0;
  for (Task* task = found.task; task != nullptr; task = member.tasks.deque().pop_if(child)) {
    if (!is_short(*task)) {
      make_ready(thread, *task);  // a thread that looked meanwhile has missed it
      break;
    }
    begin_task(thread, *task, completions);
    thread.worker->pass_scheduling_point();
    if (++executed == kMostTogether) break;
  }
  return executed != 0;
}

bool tasks_queued(const Team& team) {
  return queued_for_all(team) || (team.tasks_offered.load(relaxed) && queued_by_members(team));
}

uint64_t weight_under_way(const Team& team) {
  // Sums up the ends first, then the beginnings. Both only grow, and no task ends before it was
  // made. So equal sums mean that at the moment between the two passes no task was under way.
  uint64_t ended = team.ended_elsewhere.load(acquire);
  for (unsigned num = 0; num < team.size; num++) {
    ended += team.members[num]->tasks_ended.load(acquire);
  }
  // Whoever has ended a task that a free agent made knows that there are agents. So if they are not
  // seen here, all tasks whose ends have been seen were made by members.
  const bool served = team.agents.load(acquire) != nullptr;
  if (served) {
    each_agent_seat(team, [&](const Member& seat) { ended += seat.tasks_ended.load(acquire); });
  }
  uint64_t made = 0;
  for (unsigned num = 0; num < team.size; num++) {
    made += team.members[num]->tasks_made.load(acquire);
  }
  if (served) {
    each_agent_seat(team, [&](const Member& seat) { made += seat.tasks_made.load(acquire); });
  }
  return made - ended;
}

bool tasks_quiescent(const Team& team) { return weight_under_way(team) == 0; }

}  // namespace bobbin
