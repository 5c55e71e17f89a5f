// SPDX-License-Identifier: Apache-2.0
#include "task/modes/queue_rest.h"

#include "platform/diagnostics.h"
#include "task/model/constraint.h"
#include "task/model/extras.h"
#include "task/run/priority.h"
#include "task/run/ready.h"

namespace bobbin {

void queue_rest(Thread& thread, Task& task, Team& team, Queue queue) {
  // A free agent takes nothing from a queue of its own.
  const bool is_own =
      queue == Queue::Own && thread.member->team == &team && !thread.member->free_agent;
  if (!is_own || !push_to_queue(*thread.member, task)) {
    if (extras_of(task) == nullptr) fatal("out of memory for the rest of an untied task");
    push_by_priority(team.priority_tasks, task);
  }
  tell_about_task(thread, team);
}

void queue_rest_of_waiter(Task& task, Team& team) {
  Thread& thread = self();
  queue_rest(thread, task, team, may_begin(thread, task) ? Queue::Own : Queue::Shared);
}

}  // namespace bobbin
