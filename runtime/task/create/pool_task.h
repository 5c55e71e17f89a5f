// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/task_spec.h"
#include "team/thread.h"

namespace bobbin {

// A task construct with threadset(omp_pool), before create_task(): if free agents may execute the
// task, it is made for them, or for the encountering thread if they have enough. Otherwise the
// clause has no effect.
void offer_to_pool(Thread& thread, TaskSpec& spec);

}  // namespace bobbin
