// SPDX-License-Identifier: Apache-2.0
#include "task/model/constraint.h"
#include "task/modes/policy.h"
#include "task/modes/pool_tasks.h"
#include "task/modes/transparent_order.h"
#include "task/modes/user_scheduler.h"
#include "task/run/find.h"
#include "task/run/modes.h"

namespace bobbin {

bool queue_in_mode(Thread& thread, Team& team, Task& task) {
  UserScheduler* scheduler = scheduler_of(task.group);
  if (scheduler != nullptr && hand_to_program(thread, team, *scheduler, task)) return true;
  if (task.in_order) {
    push_by_priority(team.transparent_tasks, task);
    return true;
  }
  if (task.tied && team.steals_continuations && task.extras != nullptr) {
    push_by_priority(team.priority_tasks, task);
    return true;
  }
  return queue_beside_agents(thread, team, task);
}

bool may_execute_in_mode(const Thread& thread, const Task& task) {
  const bool is_for_thread = task.for_pool || !thread.member->free_agent;
  return is_for_thread && scheduler_of(task.group) == nullptr;
}

Found find_in_mode(Thread& thread, Completions& completions) {
  if (thread.member->free_agent) return {pop_pool_task(thread)};
  if (thread.member->team->steers_taking) {
    completions.settle();  // the search may have to execute a task
    const Found found = find_by_policy(thread);
    return found.task != nullptr ? found : Found{pop_pool_task(thread)};
  }
  auto fits = [&](const Task* task) { return may_begin(thread, *task); };
  auto beside = [&] {
    Task* task = pop_transparent(thread);
    return task != nullptr ? task : pop_pool_task(thread);
  };
  return find_task(thread, fits, completions, beside);
}

bool tasks_queued_in_mode(const Team& team) {
  return !team.pool_tasks.empty() || !team.transparent_tasks.empty() ||
         !team.set_aside_tasks.empty() || scheduler_may_give(team);
}

}  // namespace bobbin
