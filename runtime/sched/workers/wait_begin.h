// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fiber/fiber.h"
#include "platform/clocks/coarse_clock.h"

namespace bobbin {

// Since when a thread is in a wait, for a debugger (debugger/bobbin_gdb). A wait has one of these,
// and may suspend several times, because the thread executes tasks in between. The wait counts from
// the first time that the thread found nothing to do.
class WaitBegin {
 public:
  // The thread is about to suspend, or has spun for long.
  void tell(Fiber& fiber, uint64_t ticks) {
    if (begin_ == 0) begin_ = ticks;
    fiber.waits_since = begin_;
  }
  static void take_back(Fiber& fiber) { fiber.waits_since = 0; }

 private:
  uint64_t begin_ = 0;
};

}  // namespace bobbin
