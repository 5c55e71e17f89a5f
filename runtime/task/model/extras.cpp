// SPDX-License-Identifier: Apache-2.0
#include "task/model/extras.h"

#include "platform/memory.h"

namespace bobbin {

TaskExtras* extras_of(Task& task) {
  if (task.extras == nullptr) {
    task.extras = make<TaskExtras>();
    if (task.extras != nullptr) task.extras_separate = true;
  }
  return task.extras;
}

}  // namespace bobbin
