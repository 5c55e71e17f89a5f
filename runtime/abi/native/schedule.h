// SPDX-License-Identifier: Apache-2.0
// The schedules of native.h, and how its loops get their chunks.
#pragma once

#include "bobbin/native.h"
#include "construct/worksharing/loop.h"

namespace bobbin {

inline LoopSchedule schedule_of(const Thread& thread, unsigned schedule, unsigned long long chunk) {
  switch (schedule & ~static_cast<unsigned>(bobbin_omp_ordered)) {
    case bobbin_omp_static:
      return {ScheduleKind::Static, chunk};
    case bobbin_omp_dynamic:
      return {ScheduleKind::Dynamic, chunk};
    case bobbin_omp_guided:
      return {ScheduleKind::Guided, chunk};
    default:
      return runtime_schedule(thread);
  }
}

inline int next_chunk(Thread& thread, unsigned long long* first, unsigned long long* last) {
  uint64_t from;
  uint64_t to;
  if (!loop_next(thread, from, to)) return 0;
  *first = from;
  *last = to;
  return 1;
}

}  // namespace bobbin
