// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "team/model/task.h"

namespace bobbin {

// A task for a thread to execute.
struct Found {
  Task* task = nullptr;
  unsigned stolen = 0;      // so many were, this one included; the others are in the own deque
  uint64_t claimed_in = 0;  // ticks, if stolen
};

}  // namespace bobbin
