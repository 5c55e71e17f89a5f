// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/run/modes.h"

// Tasks with threadset(omp_pool) while there are free agents (team/regions/free_agents.h). They go
// into the mode's queue, from which the team's threads and free agents take them. It is the only
// queue in which an agent looks.
//
// The other tasks that an agent makes or makes ready are for the team's threads alone. They go into
// Team::priority_tasks, never into the agent's deque, where they could hide the tasks behind them.
namespace bobbin {

class PoolMode final : public Mode {
 public:
  static constexpr ModeRank kRank = ModeRank::Pool;
  PoolMode() : Mode(kRank) {}

  // The first such task of the region is to be made.
  void begin() { limit_ = kFirstDeferLimit; }
  // While fewer tasks are queued, the next one is queued, too.
  bool has_enough() const { return tasks.size.load(relaxed) >= limit_; }

  bool needs_extras(const Thread& thread, const TaskSpec& spec) override;
  void make(Thread& thread, Task& task, const TaskSpec& spec) override;
  bool may_go_on(const Thread& thread, const Task& task) override;
  bool queue(Thread& thread, Team& team, Task& task) override;
  bool searches(const Thread& thread) override;
  Found search(Thread& thread, Completions& completions) override;
  Task* find(Thread& thread) override;

 private:
  Relaxed<int64_t> limit_ = kFirstDeferLimit;
};

// For task/modes/table.cpp. A task construct with threadset(omp_pool), before anything is decided:
// if free agents may execute the task, it is made for them, or for the encountering thread if they
// have enough. Otherwise the clause has no effect.
//
// How many are enough follows the rule of task/tuning/defer_limit.h: many when the region begins,
// because its first tasks may wait for each other, and one less for each task that its maker takes
// back itself, because to queue a task costs far more than to call it.
void offer_to_pool(Thread& thread, TaskSpec& spec, RareSpec& rare);

}  // namespace bobbin
