// SPDX-License-Identifier: Apache-2.0
#include "task/child_process.h"

#include "platform/fork_lock.h"
#include "task/depend/table.h"
#include "task/model/extras.h"
#include "task/modes/user_scheduler.h"
#include "team/fork_child.h"

namespace bobbin {
namespace {

// Another thread may have been changing the exclusions. The task that it executed does not go on in
// the child, so what it owns is never given back.
void free_exclusions(const Thread& self) {
  for (const Task* task = self.task; task != nullptr; task = task->parent) {
    if (task->extras == nullptr || task->extras->table == nullptr) continue;
    task->extras->table->exclusion_lock.free_in_child();
  }
}

// Another thread may have been moving the table of handles to a larger block.
void free_schedulers(const Team& team) {
  UserScheduler* scheduler = team.user_schedulers.load(relaxed);
  for (; scheduler != nullptr; scheduler = scheduler->next) {
    if (!scheduler->lock.free_in_child()) continue;
    scheduler->slots = nullptr;
    scheduler->slot_count = scheduler->slot_capacity = scheduler->first_free = 0;
    scheduler->held.store(0, relaxed);
  }
}

void go_on_alone() {
  const Thread* self = tls_thread;
  if (self == nullptr) return;
  free_exclusions(*self);
  each_team_around(*self, free_schedulers);
}

}  // namespace

void init_tasks_of_child() { add_fork_lock(only_in_child<go_on_alone>); }

}  // namespace bobbin
