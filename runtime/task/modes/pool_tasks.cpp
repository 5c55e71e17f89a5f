// SPDX-License-Identifier: Apache-2.0
#include "task/modes/pool_tasks.h"

#include "task/model/constraint.h"
#include "team/free_agents.h"

namespace bobbin {

bool queue_beside_agents(const Thread& thread, Team& team, Task& task) {
  if (task.for_pool) {
    push_by_priority(team.pool_tasks, task);
    if (FreeAgents* agents = team.agents.load(relaxed)) call_agent(*agents);
    return true;
  }
  if (!thread.member->free_agent || thread.member->team != &team) return false;
  push_by_priority(team.priority_tasks, task);
  return true;
}

Task* pop_pool_task(const Thread& thread) {
  Team& team = *thread.member->team;
  auto fits = [&](const Task* task) { return may_begin(thread, *task); };
  Task* task = pop_by_priority(thread, team.pool_tasks, fits);
  if (task == nullptr) return nullptr;
  if (FreeAgents* agents = team.agents.load(relaxed)) agents->offers.take();
  const bool in_vain = task->parent == thread.task;
  if (in_vain && team.pool_limit > kLowestDeferLimit) team.pool_limit = team.pool_limit - 1;
  return task;
}

}  // namespace bobbin
