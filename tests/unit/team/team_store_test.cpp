// SPDX-License-Identifier: Apache-2.0
// The state that members keep from one team to another.
#include "team/regions/team_store.h"

#include <gtest/gtest.h>

#include "env/icv.h"
#include "team/members/member.h"
#include "team/model/team.h"

namespace bobbin {
namespace {

// Regions are numbered by team: a mark that a member rests refers to a region of its own team.
TEST(TeamStore, NoMemberOfAnOutgrownTeamRests) {
  Thread& thread = self();
  constexpr unsigned kSmall = 8;
  Team* small = take_team(thread, kSmall);
  ASSERT_NE(small, nullptr);
  ASSERT_EQ(small->size, kSmall);
  constexpr uint64_t kRegion = 1;
  for (unsigned num = 1; num < kSmall; num++) {
    small->members[num]->rested.store(kRegion, relaxed);
  }
  keep_team(thread, *small);
  Team* large = take_team(thread, kSmall + 1);
  ASSERT_NE(large, small);
  ASSERT_EQ(large->size, kSmall + 1);
  for (unsigned num = 1; num < large->size; num++) {
    EXPECT_NE(large->members[num]->rested.load(relaxed), kRegion) << num;
  }
  keep_team(thread, *large);
}

// A kernel thread begins with the affinity of the thread that makes it, whatever place the previous
// thread with its record had.
TEST(TeamStore, NewThreadsAreNotBoundYet) {
  Thread& thread = self();
  Team* team = take_team(thread, 3);
  ASSERT_NE(team, nullptr);
  for (unsigned num = 1; num < team->made; num++) team->members[num]->thread->bound_place = 1;
  keep_team(thread, *team);
  dissolve_kept_teams(thread);
  team = take_team(thread, 3);
  ASSERT_NE(team, nullptr);
  for (unsigned num = 1; num < team->size; num++) {
    EXPECT_EQ(team->members[num]->thread->bound_place, -1) << num;
  }
  keep_team(thread, *team);
}

}  // namespace
}  // namespace bobbin
