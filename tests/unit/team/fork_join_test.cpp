// SPDX-License-Identifier: Apache-2.0
// The traces that earlier regions of a team leave for a later one.
#include "team/regions/fork_join.h"

#include <gtest/gtest.h>

#include "env/icv.h"
#include "team/members/member.h"
#include "team/model/team.h"
#include "team/regions/team_store.h"

namespace bobbin {
namespace {

// Returns the team of a region in which each thread makes and ends a task.
Team& region_with_tasks(unsigned size) {
  Thread& thread = self();
  Team& team = *assemble(thread, size, *thread.task->icvs);
  for (unsigned num = 0; num < team.size; num++) {
    EXPECT_EQ(team.members[num]->tasks_made.load(relaxed), 0u) << num;
    EXPECT_EQ(team.members[num]->tasks_ended.load(relaxed), 0u) << num;
    team.members[num]->tasks_made.store(1, relaxed);
    team.members[num]->tasks_ended.store(1, relaxed);
  }
  team.had_tasks.store(true, relaxed);
  keep_team(thread, team);
  return team;
}

TEST(ForkJoin, NoTasksAreCountedWhenARegionBegins) {
  for (unsigned size : {3u, 40u, 2u, 17u, 40u, 1u, 40u}) region_with_tasks(size);
}

TEST(ForkJoin, OneLargeRegionDoesNotMakeAllLaterOnesDear) {
  Team& team = region_with_tasks(50);
  region_with_tasks(2);
  // A mark on a thread that is in none of the later regions.
  team.members[40]->tasks_made.store(7, relaxed);
  ASSERT_EQ(&region_with_tasks(2), &team);
  EXPECT_EQ(team.members[40]->tasks_made.load(relaxed), 7u);
  team.members[40]->tasks_made.store(0, relaxed);
}

}  // namespace
}  // namespace bobbin
