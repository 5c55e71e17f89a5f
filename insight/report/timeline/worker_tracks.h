// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "insight/report/timeline/tracks.h"

namespace bobbin::insight {

// A state of a worker, from this time on.
struct WorkerChange {
  uint64_t time = 0;
  bool carries = false;
  bool sleeps = false;
  uint64_t thread = 0;  // the slot of the one that it carries
};

// What the worker did, in slices: the changes are in order, and the last state lasts until `end`.
// `threads` are those of the process, with all of their slices.
std::vector<Slice> worker_slices(const std::vector<WorkerChange>& changes, uint64_t end,
                                 const std::vector<TimelineThread>& threads);

// A thread has woken another one.
struct Wake {
  Point from;
  uint64_t woken = 0;  // the slot
};

// Each wake-up whose effect is known: which worker has carried the thread next. Those by threads
// that did nothing that is known are left out.
std::vector<WakeUp> wake_ups(const std::vector<Wake>& wakes,
                             const std::vector<TimelineThread>& threads,
                             const std::vector<TimelineWorker>& workers);

}  // namespace bobbin::insight
