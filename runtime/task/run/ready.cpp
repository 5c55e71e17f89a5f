// SPDX-License-Identifier: Apache-2.0
#include "task/run/ready.h"

#include "sched/workers/pool.h"
#include "task/model/constraint.h"
#include "task/model/extras.h"
#include "task/run/modes.h"
#include "task/run/priority.h"
#include "team/model/task_hooks.h"

namespace bobbin {

void tell_about_task(Thread& thread, Team& team) {
  fence(seq_cst);
  if (!team.tasks_offered.load(relaxed)) {
    team.tasks_offered.store(true, relaxed);
    fence(seq_cst);  // a resting thread says so before it looks at the offer
  }
  if (team.barrier.asleep.any() || helpers_idle() || provider.calls_resting) {
    wake_for_tasks(team, thread);
  }
}

bool push_to_queue(Member& member, Task& task) {
  if (task.extras != nullptr && in_mode(*member.team)) [[unlikely]] {
    return member.tasks.push(&task, task.extras->advice.data);
  }
  return member.tasks.push(&task);
}

namespace {

// Does the task not belong into the thread's own queue?
bool is_for_all(const Thread& thread, const Team& team, const Task& task) {
  if (task.extras == nullptr) return false;
  return thread.member->team != &team || task.extras->priority > 0 || !may_begin(thread, task);
}

bool push_ready(Thread& thread, Team& team, Task& task) {
  if (ask_modes(team, [&](Mode& mode) { return mode.queue(thread, team, task); })) return true;
  if (is_for_all(thread, team, task)) {
    push_by_priority(team.priority_tasks, task);
    return true;
  }
  return push_to_queue(*thread.member, task);
}

}  // namespace

bool queue_ready(Thread& thread, Task& task) {
  Team& team = task.extras != nullptr && task.extras->team != nullptr ? *task.extras->team
                                                                      : *thread.member->team;
  if (!push_ready(thread, team, task)) return false;
  tell_about_task(thread, team);
  return true;
}

}  // namespace bobbin
