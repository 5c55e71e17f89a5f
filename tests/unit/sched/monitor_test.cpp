// SPDX-License-Identifier: Apache-2.0
// The end of the monitor while a thread still relies on it.
#include "sched/monitor/monitor.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "platform/atomic.h"
#include "platform/clocks/clock.h"

extern "C" void GOMP_parallel(void (*function)(void*), void* data, unsigned threads,
                              unsigned flags);
extern "C" int omp_get_thread_num();

namespace bobbin {
namespace {

Atomic<bool> second_has_begun{false};

// Waits in a way that the runtime does not see. The last root before this one has found no other
// roots, and has told the monitor to end.
void wait_for_second(void* /*data*/) {
  if (omp_get_thread_num() == 1) {
    second_has_begun.store(true, release);
    return;
  }
  end_monitor();
  while (!second_has_begun.load(acquire)) cpu_pause();
}

TEST(Monitor, GoesOnWhereARootHasOpenedARegion) {
  setenv("BOBBIN_WORKERS", "1", 1);  // no helper: only the monitor sees the wait
  GOMP_parallel(wait_for_second, nullptr, 2, 0);
  EXPECT_TRUE(second_has_begun.load(relaxed));
}

}  // namespace
}  // namespace bobbin
