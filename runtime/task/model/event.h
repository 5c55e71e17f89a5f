// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/atomic.h"
#include "team/thread.h"

namespace bobbin {

// The event of a detachable task (section 12.5.2). The task completes when both have happened: its
// structured block has ended, and omp_fulfill_event has been called. Either may be first, from any
// thread, of the team or not; the second one to come completes the task. One exchange decides: both
// bring their mark, whoever finds the other's there is second.
//
// A task that is discarded is complete by that (section 11.2), fulfilled or not. But its maker may
// have handed the event to somebody who will fulfil it some day, and the event is a part of the
// descriptor. So the task's own reference (Task::references) is given back when both have come,
// again by who is second. Others may have references still: entries (task/depend/graph_ports.h).
struct Event {
  enum class Mark : uint32_t { None, BlockEnded, Discarded, Fulfilled };

  Atomic<Mark> mark{Mark::None};
  Task* task = nullptr;      // deferred: to be completed
  Thread* waiter = nullptr;  // undeferred: its creator, who waits for the event

  // What has happened already.
  Mark leave(Mark mine) { return mark.exchange(mine, acq_rel); }
};

}  // namespace bobbin
