// SPDX-License-Identifier: Apache-2.0
#include "sched/forecasts/brief_regions.h"

#include <gtest/gtest.h>

namespace bobbin {
namespace {

using Way = BriefRegions::Way;

constexpr uint64_t kUs = 1000;  // ticks
const char code_a = 0;
const char code_b = 0;

// A forking thread whose regions take so long with help, and so long without.
struct Forker {
  BriefRegions regions;
  uint64_t now = 0;
  uint64_t wake_up = 0;
  unsigned alone = 0;

  Way run(uint64_t helped, uint64_t without, const void* code = &code_a) {
    const Way way = regions.next(code, now, wake_up);
    const uint64_t took = way == Way::Alone ? without : helped;
    now += took;
    if (way == Way::Alone) alone++;
    if (way != Way::Untimed) regions.learn(code, took, way, kUs);
    return way;
  }
  unsigned run_many(unsigned count, uint64_t helped, uint64_t without, const void* code = &code_a) {
    const unsigned before = alone;
    for (unsigned i = 0; i < count; i++) run(helped, without, code);
    return alone - before;
  }
};

TEST(BriefRegions, GoesAloneWhereThatIsQuicker) {
  Forker forker;
  EXPECT_EQ(forker.run_many(BriefRegions::kFirstTrial - 1, 500, 200), 0u);
  forker.run_many(100, 500, 200);
  EXPECT_GE(forker.run_many(100'000, 500, 200), 99'900u);  // all except those of a trial
}

TEST(BriefRegions, StaysHelpedWhereThatIsQuicker) {
  Forker forker;
  // Trials become rarer and rarer.
  EXPECT_LT(forker.run_many(10'000, 3'000, 5'600), 100u);
  EXPECT_LT(forker.run_many(1'000'000, 3'000, 5'600), 100u);
}

TEST(BriefRegions, StaysHelpedWhereItMakesNoDifference) {
  Forker forker;
  EXPECT_LT(forker.run_many(1'000'000, 1'000, 950), 200u);
}

TEST(BriefRegions, IsNotMisledByDisturbedSamples) {
  Forker forker;
  forker.run_many(BriefRegions::kFirstTrial, 500, 200);
  forker.run(500'000, 200);
  while (forker.run(500, 200) != Way::Alone) {
  }
  forker.run(500, 50'000);
  forker.run_many(100, 500, 200);
  EXPECT_EQ(forker.run(500, 200), Way::Alone);
  // The gain of an unhelped region was not computed from the disturbed one, so a few long ones use
  // it up.
  unsigned longer = 0;
  while (forker.run(15'000, 30'000) == Way::Alone) longer++;
  EXPECT_LT(longer, 5u);
}

TEST(BriefRegions, OneLongRegionCostsLittleAfterManyGains) {
  Forker forker;
  forker.run_many(10'000, 500, 200);
  forker.run(20'000, 40'000);
  EXPECT_EQ(forker.run(500, 200), Way::Alone);
}

TEST(BriefRegions, CallsAgainWhenRegionsHaveBecomeLonger) {
  Forker forker;
  forker.run_many(100'000, 500, 200);
  // That loses half of a millisecond at most.
  const unsigned alone = forker.run_many(1'000, 5'000, 9'500);
  EXPECT_GT(alone, 0u);
  EXPECT_LT(alone * (9'500u - 5'000u), 700 * kUs);
  EXPECT_LT(forker.run_many(100'000, 5'000, 9'500), 50u);
}

// One region in a hundred is long, and its threads would have shared it.
TEST(BriefRegions, LosesLittleByRareLongRegions) {
  Forker forker;
  uint64_t lost = 0;
  for (unsigned i = 0; i < 1'000'000; i++) {
    const bool is_long = i % 100 == 99;
    const Way way = forker.run(is_long ? 500'000 : 500, is_long ? 1'000'000 : 200);
    if (is_long && way == Way::Alone) lost += 500 * kUs;
  }
  EXPECT_LT(lost, 20'000 * kUs);  // of five seconds
}

// Threads that wait for each other: without help nothing proceeds until the monitor brings help.
TEST(BriefRegions, KeepsAwayFromRegionsThatHangAlone) {
  Forker forker;
  EXPECT_LE(forker.run_many(1'000'000, 500, 10'000 * kUs), 1u);
}

// A helper that has slept needs time to arrive. The regions with help count only after that.
TEST(BriefRegions, WaitsUntilTheHelperIsAwake) {
  Forker forker;
  forker.wake_up = 10 * kUs;
  forker.run_many(200, 500, 200);
  while (forker.run(500, 200) == Way::Alone) {
  }
  const uint64_t begin = forker.now;
  while (forker.run(500, 200) == Way::Untimed) {
  }
  EXPECT_GE(forker.now - begin, 2 * forker.wake_up - 500);
}

TEST(BriefRegions, TellsCodesApart) {
  Forker forker;
  for (unsigned i = 0; i < 1'000; i++) {
    forker.run(500, 200, &code_a);
    forker.run(3'000, 5'600, &code_b);
  }
  EXPECT_EQ(forker.run(500, 200, &code_a), Way::Alone);
  EXPECT_NE(forker.run(3'000, 5'600, &code_b), Way::Alone);
}

}  // namespace
}  // namespace bobbin
