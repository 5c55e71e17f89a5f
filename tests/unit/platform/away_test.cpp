// SPDX-License-Identifier: Apache-2.0
#include "platform/processors/away.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <initializer_list>
#include <thread>

#include "platform/processors/processors.h"

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

TEST(AwayFrom, KeepsWhatOthersSetAmongThose) {
  std::thread([] {
    const CpuSet before = affinity_mask();
    if (before.count() < 3) GTEST_SKIP() << "few processors";
    const unsigned first = before.next(0);
    CpuSet one;
    one.add(before.next(first + 1));
    {
      AwayFrom away(static_cast<int>(first));
      ASSERT_EQ(sched_setaffinity(0, CpuSet::kWords * 8, static_cast<cpu_set_t*>(one.data())), 0);
    }
    EXPECT_EQ(affinity_mask(), one);
  }).join();
}

TEST(AwayFrom, ComesBackToFewerThanTheProcessHas) {
  std::thread([] {
    CpuSet two;
    const unsigned first = affinity_mask().next(0);
    const unsigned second = affinity_mask().next(first + 1);
    if (affinity_mask().count() < 3) GTEST_SKIP() << "few processors";
    two.add(first);
    two.add(second);
    ASSERT_TRUE(set_affinity_mask(two));
    {
      AwayFrom away(static_cast<int>(first));
    }
    EXPECT_EQ(affinity_mask(), two);
  }).join();
}

// A test cannot narrow its own cpuset.
TEST(AwayFrom, TellsACpusetFromAChoice) {
  CpuSet others;
  for (unsigned cpu : {1u, 2u, 3u}) others.add(cpu);
  CpuSet allowed;
  for (unsigned cpu : {0u, 1u, 2u}) allowed.add(cpu);
  CpuSet now;
  for (unsigned cpu : {1u, 2u}) now.add(cpu);
  EXPECT_TRUE(AwayFrom::narrowed_by_kernel(now, others, allowed));
  now.remove(1);
  EXPECT_FALSE(AwayFrom::narrowed_by_kernel(now, others, allowed));
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
