// SPDX-License-Identifier: Apache-2.0
#include "platform/away.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

#include "platform/processors.h"

namespace bobbin {
namespace {

TEST(AwayFrom, RunsElsewhereAndComesBackFree) {
  std::thread([] {
    const CpuSet before = affinity_mask();
    for (unsigned cpu = before.next(0); cpu < kMaxCpus; cpu = before.next(cpu + 1)) {
      {
        AwayFrom away(static_cast<int>(cpu));
        if (before.count() > 1) {
          EXPECT_FALSE(affinity_mask().has(cpu));
          EXPECT_EQ(affinity_mask().count(), before.count() - 1);
          EXPECT_NE(sched_getcpu(), static_cast<int>(cpu));
        } else {
          EXPECT_EQ(affinity_mask(), before);
        }
      }
      EXPECT_EQ(affinity_mask(), before);
    }
    {
      AwayFrom nowhere(-1);
      EXPECT_EQ(affinity_mask(), before);
    }
    AwayFrom stranger(static_cast<int>(kMaxCpus) - 1);
    EXPECT_EQ(affinity_mask(), before);
  }).join();
}

TEST(AwayFrom, KeepsWhatOthersSetMeanwhile) {
  std::thread([] {
    const CpuSet before = affinity_mask();
    if (before.count() < 2) GTEST_SKIP() << "one processor";
    const unsigned first = before.next(0);
    CpuSet one;
    one.add(first);
    {
      AwayFrom away(static_cast<int>(first));
      ASSERT_EQ(sched_setaffinity(0, CpuSet::kWords * 8, static_cast<cpu_set_t*>(one.data())), 0);
    }
    EXPECT_EQ(affinity_mask(), one);
  }).join();
}

TEST(AwayFrom, KeepsItsOnlyProcessor) {
  std::thread([] {
    CpuSet one;
    unsigned cpu = affinity_mask().next(0);
    one.add(cpu);
    ASSERT_EQ(sched_setaffinity(0, CpuSet::kWords * 8, static_cast<cpu_set_t*>(one.data())), 0);
    AwayFrom away(static_cast<int>(cpu));
    EXPECT_EQ(affinity_mask(), one);
  }).join();
}

}  // namespace
}  // namespace bobbin
