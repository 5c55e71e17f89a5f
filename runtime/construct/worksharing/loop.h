// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "construct/reductions/reduction.h"
#include "construct/worksharing/iteration_space.h"
#include "construct/worksharing/loop_batches.h"
#include "construct/worksharing/loop_counter.h"
#include "construct/worksharing/loop_static.h"
#include "construct/worksharing/ordered.h"

// Worksharing loops (section 11.5). A thread enters the loop, asks for iterations until there are
// none for it, and leaves.
namespace bobbin {

// The schedule clause, or OMP_SCHEDULE if the clause says "runtime". The modifiers monotonic and
// nonmonotonic make no difference: all schedules are monotonic.
struct LoopSchedule {
  ScheduleKind kind = ScheduleKind::Static;
  uint64_t chunk = 0;   // 0: none given
  uint64_t vector = 1;  // modifier simd: all chunks except the last are multiples of it
};

// run-sched-var of the current task.
LoopSchedule runtime_schedule(const Thread& thread);

// Loops whose iterations wait for each other need a schedule in which a thread begins an iteration
// only after all earlier iterations were taken.
enum class LoopOrder : uint8_t { None, Ordered, Doacross };

LoopPlan make_plan(const LoopBounds& bounds, const LoopSchedule& schedule, LoopOrder order,
                   unsigned team_size);

// Called by the first thread of a loop.
void set_up_loop(WorkShare& share, const LoopPlan& plan);

// Called by each thread that meets a loop.
void enter_loop(Thread& thread, const LoopBounds& bounds, const LoopSchedule& schedule,
                LoopOrder order, const ShareExtras& extras);
// For a loop combined with the parallel construct: called by the thread that forks the team.
void prepare_loop(Team& team, const LoopBounds& bounds, const LoopSchedule& schedule);

inline bool next_iterations(Thread& thread, WorkShare& share, IterationRange& range) {
  Member& member = *thread.member;
  const LoopPlan& plan = share.plan;
  unsigned size = member.team->size;
  switch (plan.handout) {
    case Handout::Batches:
      return next_in_batches(share, member.position.batch, size, range);
    case Handout::Counter:
      return next_counted(plan, share.next, range);
    case Handout::Guided:
      return next_guided(plan, share.next, size, range);
    case Handout::Block:
      return next_block(plan, member.position, size, member.num, range);
    case Handout::Cyclic:
      return next_cyclic(plan, member.position, size, member.num, range);
  }
  __builtin_unreachable();
}

// The next iterations for this thread. False: there are none.
inline bool take_iterations(Thread& thread, WorkShare& share, IterationRange& range) {
  WorkSharePosition& position = thread.member->position;
  if (share.plan.ordered) [[unlikely]] {
    end_ordered_chunk(thread, share);
  }
  if (!next_iterations(thread, share, range)) return false;
  if (tool::watched) [[unlikely]] {
    tell_iterations(thread, ompt_dispatch_ws_loop_chunk, program_begin(share.plan, range.first),
                    range.last - range.first);
  }
  if (share.plan.ordered) [[unlikely]] {
    position.first = range.first;
    position.last = range.last;
    position.ordered_parts = 0;
  }
  return true;
}

bool other_iterations(Thread& thread, uint64_t& begin, uint64_t& end);

// The same in the program's numbers.
inline bool loop_next(Thread& thread, uint64_t& begin, uint64_t& end) {
  return next_of_batch(thread.member->position.batch, begin, end) ||
         other_iterations(thread, begin, end);
}

}  // namespace bobbin
