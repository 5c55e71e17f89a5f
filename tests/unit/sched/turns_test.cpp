// SPDX-License-Identifier: Apache-2.0
#include "sched/turn_forecast.h"

#include <gtest/gtest.h>

namespace bobbin {
namespace {

void see(TurnForecast& forecast, const TurnForecast::Seen& seen, unsigned times) {
  for (unsigned i = 0; i < times; i++) forecast.learn(seen);
}

constexpr TurnForecast::Seen kKeptFromIt{.open = 1, .on_way = true, .long_way = true};
constexpr TurnForecast::Seen kOnShortWay{.open = 1, .on_way = true};

TEST(TurnForecast, TellsOfTurnsWhenOthersWereLongOnTheirWayAgainAndAgain) {
  TurnForecast forecast;
  see(forecast, kKeptFromIt, TurnForecast::kEnough - 1);
  EXPECT_FALSE(forecast.turns_are_taken());
  see(forecast, kKeptFromIt, 1);
  EXPECT_TRUE(forecast.turns_are_taken());
}

TEST(TurnForecast, TellsOfNoneWhereRegionsAreReachedAtOnce) {
  TurnForecast forecast;
  see(forecast, kOnShortWay, 100);
  EXPECT_FALSE(forecast.turns_are_taken());
  see(forecast, kKeptFromIt, 100);
  see(forecast, kOnShortWay, TurnForecast::kMost - TurnForecast::kEnough + 1);
  EXPECT_FALSE(forecast.turns_are_taken());
}

TEST(TurnForecast, TellsOfNoneOnceTwoRegionsWereOpen) {
  TurnForecast forecast;
  see(forecast, kKeptFromIt, 100);
  see(forecast, {.open = 2, .on_way = true, .long_way = true}, 1);
  EXPECT_FALSE(forecast.turns_are_taken());
}

TEST(TurnForecast, DoesNotForgetWhileOthersWait) {
  TurnForecast forecast;
  see(forecast, kKeptFromIt, TurnForecast::kEnough);
  see(forecast, {.waits = true}, 100);
  EXPECT_TRUE(forecast.turns_are_taken());
}

}  // namespace
}  // namespace bobbin
