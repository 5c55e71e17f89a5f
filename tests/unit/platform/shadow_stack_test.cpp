// SPDX-License-Identifier: Apache-2.0
#include "platform/shadow_stack.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace bobbin {
namespace {

TEST(ShadowStack, IsOnWhereTheKernelSaysSo) {
  EXPECT_TRUE(has_shadow_stack({0, 1}));
  EXPECT_TRUE(has_shadow_stack({0, 3}));  // programs may also write to it
}

TEST(ShadowStack, IsOffWhereTheKernelDoesNotKnowOfIt) {
  EXPECT_FALSE(has_shadow_stack({-1, 0}));
  EXPECT_FALSE(has_shadow_stack({-1, 1}));
}

TEST(ShadowStack, IsOffWhereTheThreadHasNone) {
  EXPECT_FALSE(has_shadow_stack({0, 0}));
  EXPECT_FALSE(has_shadow_stack({0, 2}));
}

TEST(ShadowStack, AskingLeavesErrnoAlone) {
  errno = 7;
  const ShadowStackStatus status = shadow_stack_status();
  EXPECT_TRUE(status.result == 0 || status.result == -1);
  EXPECT_EQ(errno, 7);
}

}  // namespace
}  // namespace bobbin
