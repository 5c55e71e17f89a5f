// SPDX-License-Identifier: Apache-2.0
#include "sched/forecasts/polling.h"

#include <gtest/gtest.h>

namespace bobbin {
namespace {

constexpr uint64_t kSoon = 10;
constexpr uint64_t kRecently = 100;

// Yields `count` times, `gap` apart, and returns how many of them counted as polling.
int yields(Polling& polling, uint64_t& now, int count, uint64_t gap) {
  int polled = 0;
  for (int i = 0; i < count; i++) polled += polling.yields(now += gap, kSoon) ? 1 : 0;
  return polled;
}

TEST(Polling, ManyYieldsInARow) {
  Polling polling;
  uint64_t now = 1000;
  EXPECT_EQ(yields(polling, now, 32, 1), 0);
  EXPECT_EQ(yields(polling, now, 1, 1), 1);
  EXPECT_EQ(yields(polling, now, 80, 1), 10);  // at every eighth yield
}

TEST(Polling, NotWhileSomebodyWorksInBetween) {
  Polling polling;
  uint64_t now = 1000;
  EXPECT_EQ(yields(polling, now, 1000, kSoon), 0);
  for (int i = 0; i < 50; i++) {
    EXPECT_EQ(yields(polling, now, 1, 5 * kSoon), 0);
    EXPECT_EQ(yields(polling, now, 31, 1), 0);
  }
}

TEST(Polling, ForOthersAWhileLonger) {
  Polling polling;
  uint64_t now = 1000;
  EXPECT_FALSE(polling.polls(now, kRecently));
  yields(polling, now, 33, 1);
  EXPECT_TRUE(polling.polls(now, kRecently));
  EXPECT_TRUE(polling.polls(now + kRecently - 1, kRecently));
  EXPECT_FALSE(polling.polls(now + kRecently, kRecently));
}

TEST(Polling, NotByACounterThatHasBegunAnew) {
  Polling polling;
  uint64_t now = uint64_t{1} << 50;
  yields(polling, now, 33, 1);
  EXPECT_TRUE(polling.polls(now, kRecently));
  EXPECT_FALSE(polling.polls(kRecently, kRecently));
}

TEST(Polling, AndAsLongAsItLetsOthersRun) {
  Polling polling;
  bool meanwhile = false;
  polling.away([&] { meanwhile = polling.polls(ticks() + 1000 * kRecently, kRecently); });
  EXPECT_TRUE(meanwhile);
  EXPECT_FALSE(polling.polls(ticks() + 1000 * kRecently, kRecently));
}

}  // namespace
}  // namespace bobbin
