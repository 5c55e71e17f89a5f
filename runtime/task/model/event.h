// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/atomic.h"
#include "team/model/thread.h"

namespace bobbin {

// The event of a detachable task (section 12.5.2). The task completes when its structured block has
// ended and omp_fulfill_event has been called. Either may be first, from any thread, of the team or
// not; the second one completes the task. One exchange decides: each leaves its mark, and the one
// that finds the other's mark there is second.
//
// A discarded task is complete at once (section 11.2), whether or not its event is fulfilled. But
// its maker may have handed the event to code that will fulfil it some day, and the event is a part
// of the descriptor. So the task's own reference (Task::references) is given back when both have
// come, again by the second one. Others may still have references: entries
// (task/depend/graph_ports.h).
//
// A task without a detach clause may get events while its block runs (task/wait/detach.h). `held`
// counts those that are not fulfilled, and one for the block as long as it runs, so it is zero only
// once. The thread that makes it zero fulfils the event. Only the block adds events.
struct Event {
  enum class Mark : uint32_t { None, BlockEnded, Discarded, Fulfilled };

  Atomic<Mark> mark{Mark::None};
  Atomic<uint32_t> held{0};  // 0: the task has a detach clause, or all have been fulfilled
  Task* task = nullptr;      // deferred: to be completed
  Thread* waiter = nullptr;  // undeferred: its creator, which waits for the event

  // Leaves a mark, and returns the one that was there.
  Mark leave(Mark mine) { return mark.exchange(mine, acq_rel); }
};

}  // namespace bobbin
