// SPDX-License-Identifier: Apache-2.0
#include "task/create/spawn.h"

#include "task/create/create.h"

namespace bobbin {

void spawn(Thread& thread, Taskgroup*& scope, void (*function)(void*), void* data, size_t size) {
  TaskSpec spec;
  spec.function = function;
  spec.data = data;
  spec.size = size;
  spec.alignment = alignof(max_align_t);
  // A thread that waits in a scope may take any task. Spawned functions wait often, and a function
  // that was called at once is no descendant of a task, so the constraint of tied tasks would leave
  // nothing to take.
  spec.tied = false;
  const RareSpec rare{.scope = &scope};
  spec.rare = &rare;
  create_task(thread, spec);
}

void sync(Thread& thread, Taskgroup*& scope) {
  close_group(thread, *scope);
  scope = nullptr;
}

}  // namespace bobbin
