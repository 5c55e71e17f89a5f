// SPDX-License-Identifier: Apache-2.0
#include "construct/worksharing/loop.h"

#include "env/icv.h"

namespace bobbin {

LoopSchedule runtime_schedule(const Thread& thread) {
  const Schedule& schedule = thread.task->icvs->run_sched;
  return {schedule.kind, schedule.chunk > 0 ? static_cast<uint64_t>(schedule.chunk) : 0};
}

namespace {

// As libomp does: a chunk is as many vectors as the clause says, or about a block for each thread.
void make_chunks_of_vectors(LoopPlan& plan, const LoopSchedule& schedule, unsigned team_size) {
  uint64_t vector = schedule.vector;
  bool one_block_each = schedule.kind == ScheduleKind::Static && schedule.chunk == 0;
  if (one_block_each || schedule.kind == ScheduleKind::Auto) {
    plan.chunk = next_multiple(chunks_in(plan.count, team_size), vector);
  } else if (plan.chunk < plan.count / vector) {
    plan.chunk *= vector;
  } else {
    plan.chunk = next_multiple(plan.count, vector);
  }
  if (plan.chunk == 0) plan.chunk = vector;
  plan.unit = plan.chunk;
}

ompt_work_t work_of(ScheduleKind kind) {
  switch (kind) {
    case ScheduleKind::Static:
      return ompt_work_loop_static;
    case ScheduleKind::Dynamic:
      return ompt_work_loop_dynamic;
    case ScheduleKind::Guided:
      return ompt_work_loop_guided;
    case ScheduleKind::Auto:
      break;
  }
  return ompt_work_loop_other;
}

}  // namespace

LoopPlan make_plan(const LoopBounds& bounds, const LoopSchedule& schedule, LoopOrder order,
                   unsigned team_size) {
  LoopPlan plan;
  plan.begin = bounds.begin;
  plan.end = bounds.end;
  plan.step = bounds.step;
  plan.count = bounds.count();
  plan.chunk = schedule.chunk != 0 ? schedule.chunk : 1;
  // A single thread gets everything at once, and is never out of order.
  if (team_size == 1) return plan;
  plan.work = work_of(schedule.kind);
  if (schedule.vector != 1) [[unlikely]]
    make_chunks_of_vectors(plan, schedule, team_size);
  plan.ordered = order == LoopOrder::Ordered;
  switch (schedule.kind) {
    case ScheduleKind::Static:
      if (schedule.chunk == 0 && schedule.vector == 1) return plan;
      plan.handout = Handout::Cyclic;
      break;
    case ScheduleKind::Dynamic:
      plan.handout = Handout::Batches;
      break;
    case ScheduleKind::Guided:
      plan.handout = Handout::Guided;
      return plan;
    case ScheduleKind::Auto:
      if (schedule.vector == 1) return plan;
      plan.handout = Handout::Cyclic;
      break;
  }
  plan.chunks = chunks_in(plan.count, plan.chunk);
  // Iterations that wait for each other would have to wait for the rest of a batch.
  bool one_by_one = order != LoopOrder::None || plan.chunks >= kMostBatchedChunks ||
                    global_icvs().dynamic_order == DynamicOrder::Ascending || tool::watched;
  if (plan.handout == Handout::Batches && one_by_one) plan.handout = Handout::Counter;
  return plan;
}

void set_up_loop(WorkShare& share, const LoopPlan& plan) {
  share.plan = plan;
  share.next.store(0, relaxed);
  if (plan.ordered) share.ordered.store(0, relaxed);
}

void enter_loop(Thread& thread, const LoopBounds& bounds, const LoopSchedule& schedule,
                LoopOrder order, const ShareExtras& extras) {
  thread.member->position.enter_loop();
  Team& team = *thread.member->team;
  enter_share_with(thread, extras, [&](WorkShare& share) {
    set_up_loop(share, make_plan(bounds, schedule, order, team.size));
  });
  tell_entered(thread);
}

void prepare_loop(Team& team, const LoopBounds& bounds, const LoopSchedule& schedule) {
  prepare_share(team, [&](WorkShare& share) {
    set_up_loop(share, make_plan(bounds, schedule, LoopOrder::None, team.size));
  });
}

bool other_iterations(Thread& thread, uint64_t& begin, uint64_t& end) {
  WorkShare& share = current_share(thread);
  IterationRange range;
  if (!take_iterations(thread, share, range)) return false;
  begin = program_begin(share.plan, range.first);
  end = program_end(share.plan, range.last);
  return true;
}

}  // namespace bobbin
