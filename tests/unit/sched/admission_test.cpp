// SPDX-License-Identifier: Apache-2.0
#include "sched/forecasts/admission_forecast.h"

#include <gtest/gtest.h>

namespace bobbin {
namespace {

void see(AdmissionForecast& forecast, const AdmissionForecast::Seen& seen, unsigned times) {
  for (unsigned i = 0; i < times; i++) forecast.learn(seen);
}

constexpr AdmissionForecast::Seen kKeptFromIt{.open = 1, .on_way = true, .long_way = true};
constexpr AdmissionForecast::Seen kOnShortWay{.open = 1, .on_way = true};

TEST(AdmissionForecast, TellsOfTurnsWhenOthersWereLongOnTheirWayAgainAndAgain) {
  AdmissionForecast forecast;
  see(forecast, kKeptFromIt, AdmissionForecast::kEnough - 1);
  EXPECT_FALSE(forecast.turns_are_taken());
  see(forecast, kKeptFromIt, 1);
  EXPECT_TRUE(forecast.turns_are_taken());
}

TEST(AdmissionForecast, TellsOfNoneWhereRegionsAreReachedAtOnce) {
  AdmissionForecast forecast;
  see(forecast, kOnShortWay, 100);
  EXPECT_FALSE(forecast.turns_are_taken());
  see(forecast, kKeptFromIt, 100);
  see(forecast, kOnShortWay, AdmissionForecast::kMost - AdmissionForecast::kEnough + 1);
  EXPECT_FALSE(forecast.turns_are_taken());
}

TEST(AdmissionForecast, TellsOfNoneOnceTwoRegionsWereOpen) {
  AdmissionForecast forecast;
  see(forecast, kKeptFromIt, 100);
  see(forecast, {.open = 2, .on_way = true, .long_way = true}, 1);
  EXPECT_FALSE(forecast.turns_are_taken());
}

TEST(AdmissionForecast, DoesNotForgetWhileOthersWait) {
  AdmissionForecast forecast;
  see(forecast, kKeptFromIt, AdmissionForecast::kEnough);
  see(forecast, {.waits = true}, 100);
  EXPECT_TRUE(forecast.turns_are_taken());
}

}  // namespace
}  // namespace bobbin
