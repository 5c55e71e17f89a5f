// SPDX-License-Identifier: Apache-2.0
// What a thief learns from the results of its steals, near its victim and far from it.
#include "task/tuning/steal.h"

#include <gtest/gtest.h>

namespace bobbin {
namespace {

class Thief : public ::testing::Test {
 protected:
  // Tasks of `each` ns, whose cache lines take as long to arrive as the claim took.
  void steal(uint64_t each, uint64_t line, unsigned count) {
    learn_from_steal(member_.tuning, ns_to_ticks(line + count * each), ns_to_ticks(line), count);
  }
  void steal_as_wanted(uint64_t each, uint64_t line) {
    steal(each, line, member_.tuning.next_haul);
  }
  bool restrained() const { return member_.tuning.brief_steals > kBriefStealsBorne; }

  Member member_;
};

TEST_F(Thief, HoldsBackFromBriefTasksHoweverFarTheirMakerIs) {
  for (uint64_t line : {20, 160, 600}) {
    member_.tuning.brief_steals = 0;
    for (int i = 0; i < 100; i++) {
      steal_as_wanted(10, line);
      EXPECT_EQ(member_.tuning.next_haul, kHaulOfBrief);
    }
    EXPECT_TRUE(restrained()) << line;
  }
}

TEST_F(Thief, CarriesSomeMoreHomeOfWhatIsWorthIt) {
  for (uint64_t line : {20, 160, 600}) {
    member_.tuning.next_haul = 1;
    for (int i = 0; i < 20; i++) steal_as_wanted(290, line);
    EXPECT_GE(member_.tuning.next_haul, kMostAtOnce / 2) << line;
    EXPECT_FALSE(restrained()) << line;
  }
}

TEST_F(Thief, TakesLongTasksOneAtATime) {
  for (int i = 0; i < 20; i++) steal_as_wanted(50'000, 160);
  EXPECT_EQ(member_.tuning.next_haul, 1u);
  EXPECT_FALSE(restrained());
}

TEST_F(Thief, IsEagerAgainAfterOneLongTask) {
  for (int i = 0; i < 100'000; i++) steal_as_wanted(10, 160);
  ASSERT_TRUE(restrained());
  steal(50'000, 160, 1);
  EXPECT_FALSE(restrained());
}

TEST_F(Thief, IsSoonRestrainedAgainIfTheLongTaskWasTheOnlyOne) {
  for (int i = 0; i < 100; i++) steal_as_wanted(10, 160);
  steal(50'000, 160, 1);
  unsigned steals = 0;
  for (; !restrained() && steals < 100; steals++) steal_as_wanted(10, 160);
  EXPECT_LT(steals, kBriefStealsBorne / 2);
}

TEST_F(Thief, IsNotMisledByAClaimThatWasInterrupted) {
  learn_from_steal(member_.tuning, ns_to_ticks(50'000), ns_to_ticks(1'000'000), 1);
  EXPECT_EQ(member_.tuning.brief_steals, 0u);
}

TEST_F(Thief, LeavesHalfOfADeque) {
  member_.tuning.next_haul = kMostAtOnce;
  EXPECT_EQ(how_many_to_steal(member_, 0), 1u);
  EXPECT_EQ(how_many_to_steal(member_, 1), 1u);
  EXPECT_EQ(how_many_to_steal(member_, 4), 2u);
  EXPECT_EQ(how_many_to_steal(member_, 7), 4u);
  EXPECT_EQ(how_many_to_steal(member_, 256), kMostAtOnce);
}

}  // namespace
}  // namespace bobbin
