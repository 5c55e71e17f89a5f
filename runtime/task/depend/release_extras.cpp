// SPDX-License-Identifier: Apache-2.0
#include "platform/memory.h"
#include "platform/watchers/strand.h"
#include "task/depend/table.h"
#include "task/model/extras.h"
#include "team/model/task_hooks.h"

namespace bobbin {

void release_extras(Task& task) {
  const Unseen unseen;
  TaskExtras* extras = task.extras;
  if (extras->table != nullptr) destroy(extras->table);
  while (OwnIcvs* own = extras->own_icvs) {
    extras->own_icvs = own->previous;
    destroy(own);
  }
  if (extras->tool != nullptr) [[unlikely]]
    destroy(extras->tool);
  task.extras = nullptr;
  task.order_goes_beyond = false;
  if (task.extras_separate) {
    task.extras_separate = false;
    destroy(extras);
  }
}

}  // namespace bobbin
