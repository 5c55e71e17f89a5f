// SPDX-License-Identifier: Apache-2.0
#include "sched/forecasts/forecast.h"

#include <gtest/gtest.h>

#include "platform/clocks/clock.h"
#include "sched/forecasts/waker_avoidance.h"

namespace bobbin {
namespace {

TEST(RegionLengths, KnowsEachByItsCode) {
  RegionLengths lengths;
  char code[2] = {};
  EXPECT_EQ(lengths.expected(&code[0]), RegionLengths::kUnknown);
  lengths.learn(&code[0], 100);
  EXPECT_EQ(lengths.expected(&code[0]), 100u);
  EXPECT_EQ(lengths.expected(&code[1]), RegionLengths::kUnknown);
}

TEST(RegionLengths, ALongOneCountsAtOnceAndIsForgottenSlowly) {
  RegionLengths lengths;
  char code = 0;
  for (int i = 0; i < 10; i++) lengths.learn(&code, 100);
  lengths.learn(&code, 10'000);
  EXPECT_EQ(lengths.expected(&code), 10'000u);
  lengths.learn(&code, 100);
  EXPECT_GT(lengths.expected(&code), 8'000u);
  for (int i = 0; i < 400; i++) lengths.learn(&code, 100);
  EXPECT_LT(lengths.expected(&code), 200u);
}

TEST(WakeUp, LearnsAndForgets) {
  WakeUp wake_up;
  EXPECT_EQ(wake_up.expected(), 0u);
  for (int i = 0; i < 50; i++) wake_up.learn(40 * ticks_per_us());
  EXPECT_NEAR(static_cast<double>(wake_up.expected()), 40. * ticks_per_us(), 1. * ticks_per_us());
  for (int i = 0; i < 50; i++) wake_up.learn(1'000'000 * ticks_per_us());
  EXPECT_LE(wake_up.expected(), 200 * ticks_per_us());  // otherwise it would take long to forget
  for (int i = 0; i < 1000; i++) wake_up.fade();
  EXPECT_EQ(wake_up.expected(), 0u);
}

TEST(WakerAvoidance, StaysAwayFromItsCallerOnceItHasMetIt) {
  WakerAvoidance avoidance;
  EXPECT_EQ(avoidance.avoid(), -1);
  avoidance.learn(3, 5);
  EXPECT_EQ(avoidance.avoid(), -1);
  avoidance.learn(3, 3);
  EXPECT_EQ(avoidance.avoid(), 3);
  avoidance.learn(4, 5);  // the caller moves
  EXPECT_EQ(avoidance.avoid(), 4);
  int sleeps = 0;
  while (avoidance.avoid() >= 0) ASSERT_LT(++sleeps, 1000);
  EXPECT_GT(sleeps, 100);
}

}  // namespace
}  // namespace bobbin
