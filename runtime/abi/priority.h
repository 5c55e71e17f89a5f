// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "env/icv.h"

namespace bobbin {

// Values beyond max-task-priority-var are reduced to it (section 12.4).
inline int clamp_priority(int priority) {
  int most = global_icvs().max_task_priority;
  return priority > most ? most : priority;
}

}  // namespace bobbin
