// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/atomic.h"
#include "team/task.h"

namespace bobbin {

// The event of a detachable task (section 12.5.2). The task completes when both have happened: its
// structured block has ended, and omp_fulfill_event has been called. Either may be first, from any
// thread, of the team or not; the second one to come completes the task. One exchange decides: both
// bring their mark, whoever finds the other's there is second.
struct Event {
  enum class Mark : uint32_t { None, BlockEnded, Fulfilled };

  Atomic<Mark> mark{Mark::None};
  Task* task = nullptr;

  // True: the other one has happened already.
  bool second(Mark mine) { return mark.exchange(mine, acq_rel) != Mark::None; }
};

void fulfill_event(Event& event);

}  // namespace bobbin
