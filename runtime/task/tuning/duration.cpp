// SPDX-License-Identifier: Apache-2.0
#include "task/tuning/duration.h"

namespace bobbin {

constinit TaskDurations task_durations;

void TaskDurations::add(TaskFunction function, uint64_t duration) {
  Entry& entry = entries_[index_of(function)];
  uint64_t mean = entry.mean.load(relaxed);
  uint64_t usual = entry.usual.load(relaxed);
  if (entry.function.load(relaxed) != function) {
    entry.function.store(function, relaxed);
    mean = usual = duration;
  } else {
    mean = mean - mean / 4 + duration / 4;
    usual = duration < usual ? usual - (usual - duration) / 2 : usual + usual / 16 + 1;
  }
  entry.mean.store(mean, relaxed);
  entry.usual.store(usual, relaxed);
}

}  // namespace bobbin
