// SPDX-License-Identifier: Apache-2.0
#include "task/ready.h"

#include "sched/pool.h"
#include "task/constraint.h"
#include "task/extras.h"
#include "task/priority.h"
#include "task/user_scheduler.h"
#include "team/task_hooks.h"

namespace bobbin {

void tell_about_task(Thread& thread, Team& team) {
  fence(seq_cst);
  if (!team.tasks_offered.load(relaxed)) {
    team.tasks_offered.store(true, relaxed);
    fence(seq_cst);  // who rests has said so before he looks at the offer
  }
  if (team.barrier.asleep.any() || helpers_idle() || kernel_provider) call_for_tasks(team, thread);
}

bool push_to_queue(Member& member, Task& task) {
  if (member.team->queues_by_data && task.extras != nullptr) [[unlikely]] {
    return member.tasks.push(&task, task.extras->advice.data);
  }
  return member.tasks.push(&task);
}

bool queue_ready(Thread& thread, Task& task) {
  Team& team = task.extras != nullptr && task.extras->team != nullptr ? *task.extras->team
                                                                      : *thread.member->team;
  bool own_team = thread.member->team == &team;
  if (UserScheduler* scheduler = scheduler_of(team, task.group)) [[unlikely]] {
    if (hand_to_program(thread, team, *scheduler, task)) {
      tell_about_task(thread, team);
      return true;
    }
  }
  if (task.in_order) [[unlikely]] {
    push_by_priority(team.transparent_tasks, task);
    tell_about_task(thread, team);
    return true;
  }
  bool shared =
      task.extras != nullptr && (!own_team || task.extras->priority > 0 ||
                                 (task.tied && team.on_strands) || !may_begin(thread, task));
  if (shared) {
    push_by_priority(team.priority_tasks, task);
  } else if (!push_to_queue(*thread.member, task)) {
    return false;
  }
  tell_about_task(thread, team);
  return true;
}

}  // namespace bobbin
