// SPDX-License-Identifier: Apache-2.0
#include "platform/processors/cpu_set.h"

#include <gtest/gtest.h>

#include <vector>

namespace bobbin {
namespace {

TEST(CpuSet, MembersBeyondTheClassicLimit) {
  CpuSet set;
  EXPECT_TRUE(set.empty());
  EXPECT_EQ(set.next(0), kMaxCpus);
  for (unsigned cpu : {0u, 63u, 64u, 1024u, 8191u}) set.add(cpu);
  set.add(kMaxCpus);  // no effect
  EXPECT_EQ(set.count(), 5u);
  EXPECT_TRUE(set.has(1024));
  EXPECT_FALSE(set.has(1025));
  EXPECT_FALSE(set.has(kMaxCpus));
  std::vector<unsigned> seen;
  set.each([&](unsigned cpu) { seen.push_back(cpu); });
  EXPECT_EQ(seen, (std::vector<unsigned>{0, 63, 64, 1024, 8191}));
  EXPECT_EQ(set.next(65), 1024u);
  EXPECT_EQ(set.next(8191), 8191u);
  EXPECT_EQ(set.next(8192), kMaxCpus);
  set.remove(0);
  EXPECT_EQ(set.next(0), 63u);
}

TEST(CpuSet, Algebra) {
  CpuSet a, b;
  for (unsigned cpu = 0; cpu < 100; cpu += 2) a.add(cpu);
  for (unsigned cpu = 0; cpu < 100; cpu += 3) b.add(cpu);
  CpuSet both = a, either = a, only = a;
  both.intersect(b);
  either.unite(b);
  only.subtract(b);
  EXPECT_EQ(both.count(), 17u);
  EXPECT_EQ(either.count(), 50u + 34u - 17u);
  EXPECT_EQ(only.count(), 33u);
  EXPECT_FALSE(a == b);
  EXPECT_TRUE(both.within(a));
  EXPECT_TRUE(a.within(a));
  EXPECT_FALSE(a.within(both));
  CpuSet rebuilt = only;
  rebuilt.unite(both);
  EXPECT_EQ(rebuilt, a);
}

}  // namespace
}  // namespace bobbin
