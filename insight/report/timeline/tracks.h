// SPDX-License-Identifier: Apache-2.0
// The rows of a timeline. Times are in nanoseconds since the recording began.
#pragma once

#include <cstdint>
#include <vector>

#include "insight/report/timeline/slice.h"

namespace bobbin::insight {

struct TimelineThread {
  unsigned number = 0;  // of its slot
  int type = 0;         // ompt_thread_t
  uint64_t overwritten = 0;
  std::vector<Slice> slices;  // in the order of their ends
};

struct TimelineWorker {
  unsigned slot = 0;
  unsigned number = 0;
  uint64_t overwritten = 0;
  std::vector<Slice> slices;  // those around others come first
};

// Where something happened.
struct Point {
  unsigned thread = 0;  // the number of its slot, or that of a worker
  uint64_t time = 0;
};

// A thread has ended the wait of another one, which goes on on a worker.
struct WakeUp {
  Point from;
  Point to;
};

}  // namespace bobbin::insight
