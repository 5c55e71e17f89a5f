// SPDX-License-Identifier: Apache-2.0
// Code that is compiled into programs finds the fields that it uses.
#include "bobbin/spawn.h"

#include <gtest/gtest.h>

#include "task/create/permits.h"
#include "team/model/team.h"

namespace bobbin {
namespace {

TEST(NativeSpawn, ProgramsSeeTheThread) {
  Thread& thread = self();
  const auto* seen = bobbin_self_v1;
  ASSERT_EQ(static_cast<const void*>(seen), &thread);
  EXPECT_EQ(static_cast<const void*>(seen->member), static_cast<const InlinedPart*>(thread.member));
  EXPECT_EQ(static_cast<const void*>(seen->member), thread.member);
}

TEST(NativeSpawn, ProgramsSeeWhetherTheyMayCallAtOnce) {
  Thread& thread = self();
  thread.withdraw_permits();
  EXPECT_FALSE(bobbin_calls_at_once_());
  ASSERT_TRUE(ask_in_place(thread));
  EXPECT_TRUE(bobbin_calls_at_once_());
  thread.in_place.withdraw();
  EXPECT_FALSE(bobbin_calls_at_once_());
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
