// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "abi/kmp/loops/schedule.h"
#include "abi/kmp/loops/static_bounds.h"
#include "construct/worksharing/loop.h"

// Loops whose iterations the runtime divides.
namespace bobbin::kmp {

struct LoopRequest {
  LoopSchedule schedule;
  LoopOrder order;
};

inline LoopRequest decode_request(const Thread& thread, int32_t schedule, int64_t chunk) {
  int32_t kind = without_modifiers(schedule);
  LoopRequest request;
  request.order =
      thread.member->position.doacross != nullptr ? LoopOrder::Doacross : LoopOrder::None;
  if (kind >= kOrderedStaticChunked && kind <= kOrderedTrapezoidal) {
    request.order = LoopOrder::Ordered;
    kind -= kOrderedStaticChunked - kStaticChunked;
  }
  uint64_t iterations = chunk > 0 ? static_cast<uint64_t>(chunk) : 0;
  switch (kind) {
    case kDynamicChunked:
    case kStaticSteal:
      request.schedule = {ScheduleKind::Dynamic, iterations};
      break;
    case kGuidedChunked:
    case kGuidedIterative:
    case kGuidedAnalytical:
    case kTrapezoidal:  // its chunks shrink too, by the same amount each time
      request.schedule = {ScheduleKind::Guided, iterations};
      break;
    case kRuntime:
      request.schedule = runtime_schedule(thread);
      break;
    // From the modifier simd. The chunk is the number of iterations of a vector.
    case kRuntimeSimd:
      request.schedule = runtime_schedule(thread);
      request.schedule.vector = iterations != 0 ? iterations : 1;
      break;
    case kGuidedSimd:
      request.schedule = {ScheduleKind::Guided, 0, iterations != 0 ? iterations : 1};
      break;
    case kStaticBalancedChunked:
      request.schedule = {ScheduleKind::Static, 0, iterations != 0 ? iterations : 1};
      break;
    case kAuto:
      request.schedule = {ScheduleKind::Auto, 0};
      break;
    case kStaticChunked:
      request.schedule = {ScheduleKind::Static, iterations};
      break;
    default:
      request.schedule = {ScheduleKind::Static, 0};
      break;
  }
  return request;
}

template <class T>
void begin_loop(int32_t schedule, T lower, T upper, std::make_signed_t<T> step,
                std::make_signed_t<T> chunk) {
  Thread& thread = self();
  leave_share(thread);  // a cancelled loop, in programs that do not say that they left it
  LoopRequest request = decode_request(thread, schedule, chunk);
  LoopBounds bounds = LoopBounds::inclusive(lower, upper, step);
  if (counted_below_zero(lower, upper, step)) bounds.empty = true;
  enter_loop(thread, bounds, request.schedule, request.order, {});
}

// 0: nothing is left for this thread. It leaves the loop then. `code`: where the program's call
// returns to.
template <class T>
int32_t next_part(int32_t* last, T* lower, T* upper, std::make_signed_t<T>* step,
                  const void* code) {
  Thread& thread = self();
  WorkShare* share = thread.member->position.current;
  if (share == nullptr) return 0;
  const LoopPlan& plan = share->plan;
  uint64_t begin;
  uint64_t end;
  bool is_last = false;
  if (!next_of_batch(thread.member->position.batch, begin, end)) {
    IterationRange range;
    if (!take_iterations(thread, *share, range)) {
      if (tool::watched) thread.tool.code = code;
      leave_work(thread);
      return 0;
    }
    begin = program_begin(plan, range.first);
    end = program_begin(plan, range.last);
    is_last = range.last == plan.count && thread.member->position.part_is_last;
  }
  *lower = static_cast<T>(begin);
  *upper = static_cast<T>(end - plan.step);
  if (step != nullptr) *step = static_cast<std::make_signed_t<T>>(plan.step);
  if (last != nullptr) *last = is_last ? 1 : 0;
  return 1;
}

}  // namespace bobbin::kmp
