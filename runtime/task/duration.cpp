// SPDX-License-Identifier: Apache-2.0
#include "task/duration.h"

namespace bobbin {

constinit TaskDurations task_durations;

void TaskDurations::add(TaskFunction function, uint64_t duration) {
  Entry& entry = entries_[index_of(function)];
  uint64_t mean = entry.mean.load(relaxed);
  if (entry.function.load(relaxed) != function) {
    entry.function.store(function, relaxed);
    mean = duration;
  } else {
    mean = mean - mean / 4 + duration / 4;
  }
  entry.mean.store(mean, relaxed);
}

}  // namespace bobbin
