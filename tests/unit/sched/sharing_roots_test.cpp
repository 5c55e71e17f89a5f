// SPDX-License-Identifier: Apache-2.0
#include "sched/roots/sharing_roots.h"

#include <gtest/gtest.h>

namespace bobbin {
namespace {

constexpr uint64_t kMs = 1000;  // in ticks
constexpr uint64_t kNow = 1'000'000 * kMs;

TEST(SharingRoots, CountForTheLeastWhileOrUntilAfterTheNextStep) {
  EXPECT_EQ(sharing_span(0, kNow, kMs), 50 * kMs);
  EXPECT_EQ(sharing_span(kNow - 1, kNow, kMs), 50 * kMs);
  EXPECT_EQ(sharing_span(kNow - 25 * kMs, kNow, kMs), 50 * kMs);
  EXPECT_EQ(sharing_span(kNow - 300 * kMs, kNow, kMs), 600 * kMs);
  EXPECT_EQ(sharing_span(kNow - 500 * kMs, kNow, kMs), 1000 * kMs);
  EXPECT_EQ(sharing_span(kNow - 900'000 * kMs, kNow, kMs), 1000 * kMs);
}

TEST(SharingRoots, DoNotCountForEverWhenTheClockWentBack) {
  EXPECT_EQ(sharing_span(kNow + 10 * kMs, kNow, kMs), 50 * kMs);
}

TEST(SharingRoots, DivideWhatThereIsForAll) {
  EXPECT_EQ(fair_part(8, 8, 1), 8u);
  EXPECT_EQ(fair_part(8, 8, 3), 3u);
  EXPECT_EQ(fair_part(8, 8, 20), 1u);
}

TEST(SharingRoots, DoNotDivideWhatIsLessThanTheirPart) {
  EXPECT_EQ(fair_part(4, 16, 4), 4u);
  EXPECT_EQ(fair_part(3, 16, 4), 3u);
  EXPECT_EQ(fair_part(32, 16, 4), 8u);
}

TEST(SharingRoots, AreToldAllOrOne) {
  EXPECT_EQ(all_or_one(8, 8, 1), 8u);
  EXPECT_EQ(all_or_one(1, 1, 1), 1u);
  EXPECT_EQ(all_or_one(8, 8, 4), 8u);
  EXPECT_EQ(all_or_one(8, 8, 5), 1u);
  EXPECT_EQ(all_or_one(3, 16, 8), 3u);
  EXPECT_EQ(all_or_one(2, 2, 2), 1u);
}

}  // namespace
}  // namespace bobbin
