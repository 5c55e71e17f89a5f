// SPDX-License-Identifier: Apache-2.0
#include "task/child_process.h"

#include "platform/locks/fork_lock.h"
#include "task/depend/table.h"
#include "task/model/extras.h"
#include "team/members/fork_child.h"

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

void go_on_alone() {
  const Thread* self = tls_thread;
  if (self == nullptr) return;
  free_exclusions(*self);
}

}  // namespace

void init_tasks_of_child() { add_fork_lock(only_in_child<go_on_alone>); }

}  // namespace bobbin
