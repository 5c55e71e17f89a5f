// SPDX-License-Identifier: Apache-2.0
#include "sched/neighbours.h"

#include <gtest/gtest.h>

namespace bobbin {
namespace {

TEST(Neighbours, OneLookIsNotEnough) {
  Neighbours neighbours;
  ASSERT_TRUE(neighbours.look_is_due(1000, 100));
  neighbours.see(3, 1000, 0, 100);
  EXPECT_EQ(neighbours.busy(1001), 0u);
  EXPECT_FALSE(neighbours.look_is_due(1099, 100));
  ASSERT_TRUE(neighbours.look_is_due(1100, 100));
  neighbours.see(2, 1100, 0, 100);
  EXPECT_EQ(neighbours.busy(1101), 2u);
}

TEST(Neighbours, WhatWasSeenHoldsForAWhile) {
  Neighbours neighbours;
  neighbours.see(1, 0, 0, 100);
  neighbours.see(1, 100, 0, 100);
  constexpr uint64_t kEnd = 100 + Neighbours::kBusyPeriods * 100;
  EXPECT_EQ(neighbours.busy(kEnd - 1), 1u);
  EXPECT_FALSE(neighbours.look_is_due(kEnd - 1, 100));
  EXPECT_EQ(neighbours.busy(kEnd), 0u);
  ASSERT_TRUE(neighbours.look_is_due(kEnd, 100));
  neighbours.see(0, kEnd, 0, 100);
  EXPECT_EQ(neighbours.busy(kEnd + 1), 0u);
  EXPECT_TRUE(neighbours.look_is_due(kEnd + 100, 100));
}

TEST(Neighbours, LooksThatTakeLongAreSeldom) {
  Neighbours neighbours;
  constexpr uint64_t kPeriod = 10'000;
  neighbours.see(0, 0, kPeriod / Neighbours::kLooks, kPeriod);
  EXPECT_TRUE(neighbours.look_is_due(kPeriod, kPeriod));
  neighbours.see(0, 0, 2 * kPeriod / Neighbours::kLooks, kPeriod);
  EXPECT_FALSE(neighbours.look_is_due(2 * kPeriod - 1, kPeriod));
  EXPECT_TRUE(neighbours.look_is_due(2 * kPeriod, kPeriod));
  neighbours.see(0, 0, kPeriod, kPeriod);  // but not so seldom that nobody looks
  EXPECT_TRUE(neighbours.look_is_due(Neighbours::kBusyPeriods * kPeriod, kPeriod));
}

TEST(Neighbours, OneOfThoseWhoAskLooks) {
  Neighbours neighbours;
  EXPECT_TRUE(neighbours.look_is_due(1000, 100));
  EXPECT_FALSE(neighbours.look_is_due(999, 100));
}

}  // namespace
}  // namespace bobbin
