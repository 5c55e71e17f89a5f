// SPDX-License-Identifier: Apache-2.0
#include "insight/span/stopwatch.h"

#include <time.h>

namespace bobbin::insight {
namespace {

uint64_t used_by_thread() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<uint64_t>(used.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(used.tv_nsec);
}

// In a shorter time the two clocks tell their rates badly.
constexpr uint64_t kLongEnoughNs = 200'000;

}  // namespace

void Stopwatch::calibrate() {
  first_ = moment();
  while (moment().ns - first_.ns < kLongEnoughNs) {
  }
}

Stopwatch::Start Stopwatch::start() {
  const uint64_t used = used_by_thread();
  return {ticks(), used};
}

uint64_t Stopwatch::used_since(const Start& start, uint64_t passed) const {
  const uint64_t used = used_by_thread() - start.used_ns;
  const Moment now = moment();
  const double rate =
      static_cast<double>(now.ticks - first_.ticks) / static_cast<double>(now.ns - first_.ns);
  const auto had = static_cast<uint64_t>(static_cast<double>(used) * rate);
  return had < passed ? had : passed;
}

}  // namespace bobbin::insight
