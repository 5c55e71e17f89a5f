// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/atomic.h"

namespace bobbin {

// What one member has learnt about its tasks. Only the member's thread uses it. The rules and the
// numbers are in task/tuning/.
struct TaskTuning {
  int64_t stolen_seen = 0;  // of TaskQueue::stolen(): task/tuning/defer_limit.h

  // How long tasks take, and how long deferring one: task/tuning/duration.h.
  unsigned tasks_until_sample = 0;
  unsigned deferrals = 0;  // of dependent tasks
  unsigned at_once_instead = 0;
  uint64_t deferral_ticks = 0;

  // Waits for brief predecessors: task/create/depend_at_once.cpp.
  unsigned stalls_to_skip = 0;
  unsigned failed_stalls = 0;
  unsigned stall_trials = 0;

  // What it steals: task/tuning/steal.h.
  unsigned brief_steals = 0;  // in a row
  unsigned next_haul = 1;     // how many tasks it steals at once

  // Under a policy with a cutoff: task/modes/policy.cpp.
  bool throttled = false;
  int64_t full_at = 64;
  int64_t stolen_when_full = 0;
};

// Values of Member::defer_limit in a team of several threads.
inline constexpr int64_t kLowestDeferLimit = 4;
inline constexpr int64_t kFirstDeferLimit = 64;  // when a region begins
inline constexpr int64_t kDeferAll = int64_t{1} << 40;

}  // namespace bobbin
