// SPDX-License-Identifier: Apache-2.0
#include "sched/forecasts/neighbours.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace bobbin {
namespace {

constexpr uint64_t kPeriod = 100;

// Looks as often as looks are due. Returns the end of the last period.
uint64_t see_in_turn(Neighbours& neighbours, std::initializer_list<unsigned> seen, uint64_t now) {
  for (const unsigned busy : seen) {
    EXPECT_TRUE(neighbours.look_is_due(now, kPeriod));
    neighbours.see(busy, now, 0, kPeriod);
    now += kPeriod;
  }
  return now;
}

TEST(Neighbours, CountsThoseThatEachOfFourLooksMet) {
  Neighbours neighbours;
  uint64_t now = see_in_turn(neighbours, {3, 2, 3}, kPeriod);
  EXPECT_EQ(neighbours.busy(now - 1), 0u);
  EXPECT_FALSE(neighbours.look_is_due(now - 1, kPeriod));
  now = see_in_turn(neighbours, {4}, now);
  EXPECT_EQ(neighbours.busy(now - 1), 2u);
}

// The program that reads this program's output is there at many looks and gone at the next ones.
TEST(Neighbours, LeavesNothingToOneThatComesAndGoes) {
  Neighbours neighbours;
  uint64_t now = kPeriod;
  for (int i = 0; i < 20; i++) {
    now = see_in_turn(neighbours, {1, 1, 1, 0}, now);
    EXPECT_EQ(neighbours.busy(now - 1), 0u);
  }
}

TEST(Neighbours, ManyAreNotMistakenForNone) {
  Neighbours neighbours;
  const uint64_t now = see_in_turn(neighbours, {256, 512, 1024, 256}, kPeriod);
  EXPECT_EQ(neighbours.busy(now - 1), 255u);
}

TEST(Neighbours, WhatWasSeenHoldsForAWhile) {
  Neighbours neighbours;
  const uint64_t seen = see_in_turn(neighbours, {1, 1, 1, 1}, kPeriod) - kPeriod;
  const uint64_t end = seen + Neighbours::kBusyPeriods * kPeriod;
  EXPECT_EQ(neighbours.busy(end - 1), 1u);
  EXPECT_FALSE(neighbours.look_is_due(end - 1, kPeriod));
  EXPECT_FALSE(neighbours.doubtful(end - 1));
  EXPECT_EQ(neighbours.busy(end), 0u);
  EXPECT_TRUE(neighbours.doubtful(end));
  ASSERT_TRUE(neighbours.look_is_due(end, kPeriod));
  neighbours.see(0, end, 0, kPeriod);
  EXPECT_FALSE(neighbours.doubtful(end + kPeriod));
  EXPECT_EQ(neighbours.busy(end + 1), 0u);
  EXPECT_TRUE(neighbours.look_is_due(end + kPeriod, kPeriod));
}

TEST(Neighbours, LooksThatTakeLongAreSeldom) {
  Neighbours neighbours;
  constexpr uint64_t kLongPeriod = 10'000;
  neighbours.see(0, 0, kLongPeriod / Neighbours::kLooks, kLongPeriod);
  EXPECT_TRUE(neighbours.look_is_due(kLongPeriod, kLongPeriod));
  neighbours.see(0, 0, 2 * kLongPeriod / Neighbours::kLooks, kLongPeriod);
  EXPECT_FALSE(neighbours.look_is_due(2 * kLongPeriod - 1, kLongPeriod));
  EXPECT_TRUE(neighbours.look_is_due(2 * kLongPeriod, kLongPeriod));
  neighbours.see(0, 0, kLongPeriod, kLongPeriod);  // but looks do not end
  EXPECT_TRUE(neighbours.look_is_due(Neighbours::kBusyPeriods * kLongPeriod, kLongPeriod));
}

TEST(Neighbours, AreForgottenWhenTheCounterBeginsAnew) {
  Neighbours neighbours;
  constexpr uint64_t kUptime = uint64_t{1} << 50;
  see_in_turn(neighbours, {1, 1, 1, 1}, kUptime);
  EXPECT_EQ(neighbours.busy(kPeriod), 0u);
  EXPECT_TRUE(neighbours.doubtful(kPeriod));
  EXPECT_TRUE(neighbours.look_is_due(kPeriod, kPeriod));
}

TEST(Neighbours, AreIgnoredForEver) {
  Neighbours neighbours;
  const uint64_t now = see_in_turn(neighbours, {1, 1, 1, 1}, kPeriod);
  neighbours.ignore();
  EXPECT_EQ(neighbours.busy(now - 1), 0u);
  EXPECT_FALSE(neighbours.look_is_due(uint64_t{1} << 50, kPeriod));
}

TEST(Neighbours, OneOfThoseWhoAskLooks) {
  Neighbours neighbours;
  EXPECT_TRUE(neighbours.look_is_due(1000, 100));
  EXPECT_FALSE(neighbours.look_is_due(999, 100));
}

}  // namespace
}  // namespace bobbin
