// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/task_spec.h"
#include "team/thread.h"

namespace bobbin {

// A task construct with threadset(omp_pool), before create_task(): if free agents may execute the
// task, it is made for them, or for the encountering thread if they have enough. Otherwise the
// clause has no effect.
//
// How many are enough follows the rule of task/tuning/defer_limit.h: many when the region begins,
// because its first tasks may wait for each other, and one less for each task that its maker takes
// back itself, because to queue a task costs far more than to call it.
//
// `rare` is to be the rare part of the description.
void offer_to_pool(Thread& thread, TaskSpec& spec, RareSpec& rare);

}  // namespace bobbin
