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

IcvChange::~IcvChange() {
  Task& task = *self().task;
  TaskExtras* extras = extras_of(task);
  if (extras == nullptr) return;
  // One who changes them to and fro needs no more copies than there are states.
  for (OwnIcvs* known = extras->own_icvs; known != nullptr; known = known->previous) {
    if (known->icvs != icvs_) continue;
    task.icvs = &known->icvs;
    return;
  }
  // Nobody else looks at the own copies while there are no children.
  OwnIcvs* own = task.references.load(acquire) == 1 ? extras->own_icvs : nullptr;
  if (own == nullptr) {
    own = make<OwnIcvs>();
    if (own == nullptr) return;
    own->previous = extras->own_icvs;
    extras->own_icvs = own;
  }
  own->icvs = icvs_;
  task.icvs = &own->icvs;
}

}  // namespace bobbin
