// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "construct/worksharing/loop.h"

// Each thread of a team takes one turn, in the order of the thread numbers: an ordered loop with
// one iteration for each thread.
namespace bobbin {

// Called by all threads of the team. Returns when the threads with lower numbers have ended their
// turns.
inline void begin_in_thread_order(Thread& thread) {
  constexpr LoopSchedule kOneEach{ScheduleKind::Static, 1};
  LoopBounds threads = LoopBounds::of(true, 0, thread.member->team->size, 1);
  enter_loop(thread, threads, kOneEach, LoopOrder::Ordered, {});
  IterationRange own;
  take_iterations(thread, current_share(thread), own);
  enter_ordered(thread);
}

inline void end_in_thread_order(Thread& thread) {
  leave_ordered(thread);
  leave_share(thread);
}

}  // namespace bobbin
