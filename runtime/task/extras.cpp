// SPDX-License-Identifier: Apache-2.0
#include "task/extras.h"
#include "team/task_hooks.h"

#include <cstdlib>

#include "platform/memory.h"
#include "task/depend.h"
#include "task/icvs.h"

namespace bobbin {

TaskExtras* extras_of(Task& task) {
  if (task.extras == nullptr) {
    task.extras = make<TaskExtras>();
    if (task.extras != nullptr) task.extras_apart = true;
  }
  return task.extras;
}

void release_extras(Task& task) {
  TaskExtras* extras = task.extras;
  if (extras->table != nullptr) discard_table(*extras);
  while (OwnIcvs* own = extras->own_icvs) {
    extras->own_icvs = own->previous;
    destroy(own);
  }
  task.extras = nullptr;
  task.order_goes_beyond = false;
  if (task.extras_apart) {
    task.extras_apart = false;
    destroy(extras);
  }
}

Icvs& writable_icvs() {
  Thread& thread = self();
  Task& task = *thread.task;
  TaskExtras* extras = extras_of(task);
  bool own = extras != nullptr && extras->own_icvs != nullptr;
  // Nobody else looks at the own copy while there are no children.
  if (own && task.references.load(acquire) == 1) return extras->own_icvs->icvs;
  auto* copy = extras != nullptr ? make<OwnIcvs>() : nullptr;
  if (copy == nullptr) {
    // Out of memory: the change is lost with the next call, rather than seen by other tasks.
    static thread_local Icvs lost;
    lost = *task.icvs;
    return lost;
  }
  *copy = OwnIcvs{*task.icvs, extras->own_icvs};
  extras->own_icvs = copy;
  task.icvs = &copy->icvs;
  return copy->icvs;
}

}  // namespace bobbin
