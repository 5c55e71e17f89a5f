// SPDX-License-Identifier: Apache-2.0
#include "task/modes/pool_tasks.h"

#include "task/model/constraint.h"
#include "task/run/priority.h"
#include "team/regions/free_agents.h"

namespace bobbin {
namespace {

// Where tasks have stacks of their own, they keep to threads of the team.
bool agents_may_come(const Team& team) {
  return team.agent_seats != 0 && !team.tasks_may_block && !team.lost_threads &&
         mode_of(team, ModeRank::Continuation) == nullptr;
}

// nullptr: no free agent can take the task.
PoolMode* begin_pool(Thread& thread) {
  Team& team = *thread.member->team;
  if (team.agents.load(relaxed) != nullptr) {
    return static_cast<PoolMode*>(mode_of(team, PoolMode::kRank));
  }
  if (!agents_may_come(team)) return nullptr;
  auto* pool = begin_mode<PoolMode>(team);
  if (pool == nullptr) return nullptr;
  pool->begin();
  if (!let_agents_serve(thread)) return nullptr;
  return pool;
}

}  // namespace

void offer_to_pool(Thread& thread, TaskSpec& spec, RareSpec& rare) {
  if (!spec.deferrable || spec.final_task || thread.task->final_task) return;
  const PoolMode* pool = begin_pool(thread);
  if (pool == nullptr) return;
  Team& team = *thread.member->team;
  const bool plain = spec.depend.empty() && spec.event_handle == nullptr && spec.priority == 0;
  if (plain && pool->has_enough()) {
    spec.deferrable = false;
    return;
  }
  rare.look_ahead = true;
  // In a team of one, too, another thread will take the task: decide() sees it by this.
  if (!team.has_tasks.load(relaxed)) team.has_tasks.store(true, relaxed);
}

bool PoolMode::needs_extras(const Thread& thread, const TaskSpec& spec) {
  return spec.rare->for_pool || thread.member->free_agent;
}

void PoolMode::make(Thread& /*thread*/, Task& task, const TaskSpec& spec) {
  task.for_pool = spec.rare->for_pool;
}

bool PoolMode::may_go_on(const Thread& thread, const Task& task) {
  return !task.for_pool && !thread.member->free_agent;
}

bool PoolMode::queue(Thread& thread, Team& team, Task& task) {
  if (task.for_pool) {
    push_by_priority(tasks, task);
    if (FreeAgents* agents = team.agents.load(relaxed)) call_agent(*agents);
    return true;
  }
  if (!thread.member->free_agent || thread.member->team != &team) return false;
  push_by_priority(team.priority_tasks, task);
  return true;
}

bool PoolMode::searches(const Thread& thread) { return thread.member->free_agent; }

Found PoolMode::search(Thread& thread, Completions& /*completions*/) { return {find(thread)}; }

Task* PoolMode::find(Thread& thread) {
  auto fits = [&](const Task* task) { return may_begin(thread, *task); };
  Task* task = pop_by_priority(thread, tasks, fits);
  if (task == nullptr) return nullptr;
  if (FreeAgents* agents = thread.member->team->agents.load(relaxed)) agents->offers.take();
  const bool in_vain = task->parent == thread.task;
  if (in_vain && limit_ > kLowestDeferLimit) limit_ = limit_ - 1;
  return task;
}

}  // namespace bobbin
