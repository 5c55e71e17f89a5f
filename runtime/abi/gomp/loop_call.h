// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "construct/worksharing/loop.h"

// The common part of the loop entry points of GCC's ABI.
namespace bobbin::gomp {

using Ull = unsigned long long;

// A chunk size as the program computes it. A value below 1 counts as none.
template <class T>
uint64_t chunk_size(T chunk) {
  return chunk > 0 ? static_cast<uint64_t>(chunk) : 0;
}

template <class T>
LoopSchedule static_schedule(T chunk) {
  return {ScheduleKind::Static, chunk_size(chunk)};
}
template <class T>
LoopSchedule dynamic_schedule(T chunk) {
  return {ScheduleKind::Dynamic, chunk_size(chunk)};
}
template <class T>
LoopSchedule guided_schedule(T chunk) {
  return {ScheduleKind::Guided, chunk_size(chunk)};
}

// The `sched` argument: the kind is in the low bits; 0 and 4 mean "runtime" without and with the
// nonmonotonic modifier. Bit 31 is the monotonic modifier, which holds for all schedules anyway.
template <class T>
LoopSchedule decode_schedule(const Thread& thread, long schedule, T chunk) {
  switch (schedule & 7) {
    case 1:
      return static_schedule(chunk);
    case 2:
      return dynamic_schedule(chunk);
    case 3:
      return guided_schedule(chunk);
    default:
      return runtime_schedule(thread);
  }
}

// The thread's next iterations, from *start up to, but not including, *end.
template <class T>
bool next(Thread& thread, T* start, T* end) {
  uint64_t from;
  uint64_t to;
  if (!loop_next(thread, from, to)) return false;
  *start = static_cast<T>(from);
  *end = static_cast<T>(to);
  return true;
}

template <class T>
bool start_loop(const LoopBounds& bounds, const LoopSchedule& schedule, LoopOrder order, T* start,
                T* end) {
  Thread& thread = self();
  enter_loop(thread, bounds, schedule, order, {});
  return next(thread, start, end);
}

// start: null if the program divides the iterations itself.
template <class T>
bool start_loop_with(Thread& thread, const LoopBounds& bounds, const LoopSchedule& schedule,
                     LoopOrder order, T* start, T* end, uintptr_t* reductions, void** memory) {
  enter_loop(thread, bounds, schedule, order, {reductions, memory});
  return start == nullptr || next(thread, start, end);
}

}  // namespace bobbin::gomp
