// SPDX-License-Identifier: Apache-2.0
// Code that is compiled into programs finds the fields that it uses.
#include "bobbin/spawn.h"

#include <gtest/gtest.h>

#include "team/team.h"

namespace bobbin {
namespace {

TEST(NativeSpawn, ProgramsSeeTheThread) {
  Thread& thread = self();
  const auto* seen = bobbin_self_v1;
  ASSERT_EQ(static_cast<const void*>(seen), &thread);
  EXPECT_EQ(seen->stack_limit, thread.stack_limit);
  EXPECT_EQ(static_cast<const void*>(seen->member), static_cast<const InlinedPart*>(thread.member));
  EXPECT_EQ(static_cast<const void*>(seen->member), thread.member);
}

TEST(NativeSpawn, ProgramsSeeHowManyTasksAreDeferred) {
  Member& member = *self().member;
  const bobbin_member_v1& seen = *bobbin_self_v1->member;
  member.defer_below = 11;
  EXPECT_EQ(seen.defer_below, 11);
  Task tasks[3];
  for (Task& task : tasks) ASSERT_TRUE(member.tasks.push(&task));
  EXPECT_EQ(*seen.end - *seen.begin, 3);
  EXPECT_EQ(member.tasks.deque().take_oldest(), &tasks[0]);
  EXPECT_EQ(*seen.end - *seen.begin, 2);
  EXPECT_EQ(member.tasks.deque().pop(), &tasks[2]);
  EXPECT_EQ(member.tasks.deque().pop(), &tasks[1]);
  EXPECT_EQ(*seen.end - *seen.begin, 0);
  member.defer_below = 0;
}

TEST(NativeSpawn, AScopeIsUntouchedByWhatIsCalledAtOnce) {
  bobbin_scope scope = BOBBIN_SCOPE;
  int called = 0;
  bobbin_spawn(&scope, [](void* count) { ++*static_cast<int*>(count); }, &called);
  EXPECT_EQ(called, 1);
  EXPECT_EQ(scope.tasks, nullptr);
  bobbin_sync(&scope);
}

}  // namespace
}  // namespace bobbin
