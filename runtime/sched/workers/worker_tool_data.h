// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bobbin/tool.h"

namespace bobbin {

// What a tool has been told of a worker: tell_worker.h. Written by the kernel thread that has it.
struct WorkerToolData {
  ompt_data_t data = {};
  bobbin_worker_state_t state = bobbin_worker_looks;  // the latest
};

}  // namespace bobbin
