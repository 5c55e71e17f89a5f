// SPDX-License-Identifier: Apache-2.0
#include "sched/forecast.h"

#include <gtest/gtest.h>

#include <random>

#include "platform/clock.h"
#include "sched/apart.h"

namespace bobbin {
namespace {

TEST(RunningMean, ClosesAroundWhatIsRegular) {
  RunningMean pace;
  for (int i = 0; i < 100; i++) pace.learn(i % 2 == 0 ? 9'990 : 10'010);
  EXPECT_NEAR(static_cast<double>(pace.mean()), 10'000., 10.);
  EXPECT_LT(pace.deviation(), 20u);
  EXPECT_TRUE(pace.regular());
}

TEST(RunningMean, StaysIrregularWhereNothingIs) {
  RunningMean pace;
  std::mt19937 random(1);
  std::uniform_int_distribution<uint64_t> values(1'000, 20'000);
  int regular = 0;
  for (int i = 0; i < 1000; i++) {
    pace.learn(values(random));
    regular += pace.regular() ? 1 : 0;
  }
  EXPECT_LT(regular, 100);
}

TEST(RunningMean, OneOutlierSpoilsNothing) {
  RunningMean pace;
  for (int i = 0; i < 100; i++) pace.learn(i % 2 == 0 ? 9'990 : 10'010);
  pace.learn(10'000'000);
  EXPECT_TRUE(pace.regular());
  for (int i = 0; i < 10; i++) pace.learn(10'000);
  EXPECT_NEAR(static_cast<double>(pace.mean()), 10'000., 100.);
}

TEST(RunningMean, FollowsToANewLevel) {
  RunningMean pace;
  for (int i = 0; i < 100; i++) pace.learn(100);
  int rounds = 0;
  while (pace.mean() < 9'000) {
    pace.learn(10'000);
    ASSERT_LT(++rounds, 40);
  }
  for (int i = 0; i < 60; i++) pace.learn(10'000);
  EXPECT_TRUE(pace.regular());
  while (pace.mean() > 200) {
    pace.learn(100);
    ASSERT_LT(++rounds, 100);
  }
}

// Leads that the wake-ups of a program needed, in us. There is a region every millisecond, and
// sleep between. Timer and processor mostly take 20 to 30 us, and now and then 60.
constexpr int64_t kSleeping[] = {24, 25, 27, 23, 26, 31, 24, 22, 25, 60, 27, 24, 29, 21, 26, 25,
                                 23, 28, 24, 26, 25, 62, 27, 23, 24, 30, 26, 22, 25, 27, 24, 26};
// The same with computing between, while the host now and then takes the processor away for a
// while. Regions come late, by up to some 100 us.
constexpr int64_t kComputing[] = {40, 38, 12, 41, 36, -30, 37,  39, -180, 42, 35,
                                  20, 38, 5,  40, 37, 39,  8,   41, -65,  36, 38,
                                  30, 40, -9, 37, 39, 41,  -40, 38, 36,   40};
constexpr Watch kFirst{50, 100};

struct Outcome {
  int in_time = 0;
  int watched = 0;  // us on average
  int calls = 0;    // wake-ups for which it was planned
};

template <size_t kCalls>
Outcome follow(const int64_t (&leads)[kCalls], uint64_t affordable) {
  Punctuality punctuality;
  Outcome outcome;
  for (int64_t needed : leads) {
    Watch watch;
    if (punctuality.plan(affordable, kFirst, watch)) {
      const int64_t early = watch.lead - needed;
      const auto longest = static_cast<int64_t>(watch.longest);
      outcome.calls++;
      if (early >= 0 && early <= longest) outcome.in_time++;
      if (early > 0) outcome.watched += static_cast<int>(early < longest ? early : longest);
    }
    punctuality.learn(needed);
  }
  outcome.watched /= static_cast<int>(kCalls);
  return outcome;
}

TEST(Punctuality, TriesAsLongAsItKnowsLittle) {
  Punctuality punctuality;
  Watch watch;
  ASSERT_TRUE(punctuality.plan(1, kFirst, watch));
  EXPECT_EQ(watch.lead, kFirst.lead);
  EXPECT_EQ(watch.longest, kFirst.longest);
}

TEST(Punctuality, RisesJustBeforeRegularCalls) {
  Punctuality punctuality;
  for (int i = 0; i < 100; i++) punctuality.learn(20 + i % 4);
  Watch watch;
  ASSERT_TRUE(punctuality.plan(3, kFirst, watch));
  EXPECT_EQ(watch.lead, 23);
  EXPECT_GE(watch.longest, 3u);
  EXPECT_LE(watch.longest, 5u);
}

TEST(Punctuality, IsInTimeForMostCallsOfAProgramThatSleeps) {
  const Outcome outcome = follow(kSleeping, 10);
  EXPECT_GE(outcome.in_time, 25);
  EXPECT_LE(outcome.watched, 12);
}

TEST(Punctuality, IsInTimeForMostCallsOfAProgramThatComputes) {
  const Outcome outcome = follow(kComputing, 120);
  EXPECT_GE(outcome.in_time, 25);
  EXPECT_LE(outcome.watched, 60);
}

// A thread that computes for long can afford to watch for regions that are earlier or later than
// any so far.
TEST(Punctuality, LeavesRoomForLargerErrorsWhereItCanAffordIt) {
  Punctuality punctuality;
  for (int i = 0; i < 100; i++) punctuality.learn(20 + i % 4);
  Watch watch;
  ASSERT_TRUE(punctuality.plan(2'500, kFirst, watch));
  EXPECT_GE(watch.lead, 200);
  EXPECT_GE(static_cast<int64_t>(watch.longest), watch.lead + 200);
  EXPECT_LE(watch.lead, 1'000);

  const Outcome outcome = follow(kComputing, 2'500);
  EXPECT_EQ(outcome.in_time, 32);
  EXPECT_LE(outcome.watched, 1'250);
}

TEST(Punctuality, GivesUpWhatItCannotAfford) {
  Punctuality punctuality;
  std::mt19937 random(1);
  std::uniform_int_distribution<int64_t> leads(-500, 500);
  for (int i = 0; i < 32; i++) punctuality.learn(leads(random));
  Watch watch;
  EXPECT_FALSE(punctuality.plan(10, kFirst, watch));
  EXPECT_TRUE(punctuality.plan(1'000, kFirst, watch));
  punctuality.forget_most();
  EXPECT_TRUE(punctuality.plan(10, kFirst, watch));  // tries again
}

TEST(Punctuality, FollowsTheMachine) {
  Punctuality punctuality;
  for (int i = 0; i < 50; i++) punctuality.learn(20 + i % 4);
  for (unsigned i = 0; i < Punctuality::kKept; i++) {
    punctuality.learn(60 + static_cast<int64_t>(i % 4));  // its processors now sleep more deeply
  }
  Watch watch;
  ASSERT_TRUE(punctuality.plan(3, kFirst, watch));
  EXPECT_EQ(watch.lead, 63);
}

TEST(RegionLengths, KnowsEachByItsCode) {
  RegionLengths lengths;
  char code[2] = {};
  EXPECT_EQ(lengths.expected(&code[0]), RegionLengths::kUnknown);
  lengths.learn(&code[0], 100, Help::None);
  EXPECT_EQ(lengths.expected(&code[0]), 100u);
  EXPECT_EQ(lengths.expected(&code[1]), RegionLengths::kUnknown);
}

TEST(RegionLengths, ALongOneCountsAtOnceAndIsForgottenSlowly) {
  RegionLengths lengths;
  char code = 0;
  for (int i = 0; i < 10; i++) lengths.learn(&code, 100, Help::None);
  lengths.learn(&code, 10'000, Help::None);
  EXPECT_EQ(lengths.expected(&code), 10'000u);
  lengths.learn(&code, 100, Help::None);
  EXPECT_GT(lengths.expected(&code), 8'000u);
  for (int i = 0; i < 400; i++) lengths.learn(&code, 100, Help::None);
  EXPECT_LT(lengths.expected(&code), 200u);
}

TEST(RegionLengths, KnowsWhatHelpSaves) {
  RegionLengths lengths;
  char code = 0;
  EXPECT_EQ(lengths.saving(&code), 0u);
  for (int i = 0; i < 40; i++) lengths.learn(&code, 200, Help::None);
  EXPECT_NEAR(static_cast<double>(lengths.saving(&code)), 100., 10.);
  for (int i = 0; i < 40; i++) lengths.learn(&code, 100, Help::InTime);
  EXPECT_NEAR(static_cast<double>(lengths.saving(&code)), 100., 10.);
  lengths.learn(&code, 10'000, Help::None);  // something disturbed this one
  EXPECT_LT(lengths.saving(&code), 150u);
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

TEST(Apart, StaysAwayFromItsCallerOnceItHasMetIt) {
  Apart apart;
  EXPECT_EQ(apart.avoid(), -1);
  apart.learn(3, 5);
  EXPECT_EQ(apart.avoid(), -1);
  apart.learn(3, 3);
  EXPECT_EQ(apart.avoid(), 3);
  apart.learn(4, 5);  // the caller moves
  EXPECT_EQ(apart.avoid(), 4);
  int sleeps = 0;
  while (apart.avoid() >= 0) ASSERT_LT(++sleeps, 1000);
  EXPECT_GT(sleeps, 100);
}

TEST(Clock, TicksAreToldInNanoseconds) {
  uint64_t before_ns = now_ns();
  uint64_t before = ticks();
  while (now_ns() - before_ns < 2'000'000) {
  }
  uint64_t span = ticks() - before;
  uint64_t span_ns = now_ns() - before_ns;
  EXPECT_NEAR(static_cast<double>(ticks_to_ns(span)), static_cast<double>(span_ns),
              0.02 * static_cast<double>(span_ns));
}

}  // namespace
}  // namespace bobbin
