// SPDX-License-Identifier: Apache-2.0
#include "task/create/pool_task.h"

#include "task/modes/pool_tasks.h"

namespace bobbin {

void offer_to_pool(Thread& thread, TaskSpec& spec, RareSpec& rare) {
  const Task& parent = *thread.task;
  if (!spec.deferrable || spec.final_task || parent.final_task || parent.collects) return;
  const PoolMode* pool = begin_pool(thread);
  if (pool == nullptr) return;
  Team& team = *thread.member->team;
  const bool plain = spec.depend.empty() && spec.event_handle == nullptr && spec.priority == 0;
  if (plain && pool->has_enough()) {
    spec.deferrable = false;
    return;
  }
  rare.for_pool = rare.look_ahead = true;
  spec.rare = &rare;
  // In a team of one, too, another thread will take the task: decide() sees it by this.
  if (!team.has_tasks.load(relaxed)) team.has_tasks.store(true, relaxed);
}

}  // namespace bobbin
