// SPDX-License-Identifier: Apache-2.0
#include "platform/diagnostics.h"
#include "task/depend/registration.h"
#include "task/model/extras.h"
#include "task/run/execute.h"

namespace bobbin {

void execute_in_order(Thread& thread, Task& task) {
  // A detachable task is complete only with its event, and its maker may be the one to fulfil it.
  if (task.extras->detached) fatal("out of memory for the order of a detachable task");
  TaskExtras* around = task.parent->extras;
  if (around != nullptr && around->table != nullptr) wait_for_all(thread, *around->table);
  execute(thread, task);
}

}  // namespace bobbin
