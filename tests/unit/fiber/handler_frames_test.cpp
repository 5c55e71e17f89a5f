// SPDX-License-Identifier: Apache-2.0
#include "fiber/handler_frames.h"

#include <gtest/gtest.h>

namespace bobbin {
namespace {

constexpr SignalSet kOuter = 1;
constexpr SignalSet kInner = 2;
constexpr SignalSet kNow = 4;

struct HandlerFramesTest : testing::Test {
  char stack[1000] = {};
  char other[1000] = {};
  HandlerFrames frames;

  void enter_two() {
    frames.enter(&stack[800], stack, kOuter);
    frames.enter(&stack[400], stack, kInner);
  }
};

TEST_F(HandlerFramesTest, AreActiveBelowTheirFrames) {
  EXPECT_FALSE(frames.active_at(&stack[10]));
  enter_two();
  EXPECT_TRUE(frames.active_at(&stack[399]));
  EXPECT_TRUE(frames.active_at(&stack[600]));  // the inner one has been left
  EXPECT_FALSE(frames.active_at(&stack[800]));
  EXPECT_FALSE(frames.active_at(&other[10]));
}

TEST_F(HandlerFramesTest, EndInOrder) {
  enter_two();
  frames.leave(&stack[400]);
  EXPECT_TRUE(frames.active_at(&stack[10]));
  frames.leave(&stack[800]);
  EXPECT_TRUE(frames.empty());
}

TEST_F(HandlerFramesTest, AreLeftByJumps) {
  enter_two();
  EXPECT_EQ(frames.jump_to(&stack[300], kNow), kNow);
  EXPECT_EQ(frames.jump_to(&stack[500], kNow), kInner);
  EXPECT_TRUE(frames.active_at(&stack[10]));
  EXPECT_EQ(frames.jump_to(&stack[900], kNow), kOuter);
  EXPECT_TRUE(frames.empty());
  enter_two();
  EXPECT_EQ(frames.jump_to(&other[10], kNow), kOuter);
  EXPECT_TRUE(frames.empty());
  enter_two();
  EXPECT_EQ(frames.jump_to(nullptr, kNow), kOuter);
}

// The outer handler returns although the inner one never has.
TEST_F(HandlerFramesTest, TheOuterOneEndsTheInnerOnes) {
  enter_two();
  frames.leave(&stack[800]);
  EXPECT_TRUE(frames.empty());
}

// A jump that was not seen here.
TEST_F(HandlerFramesTest, TheNextHandlerReplacesThoseThatWereLeft) {
  enter_two();
  frames.enter(&stack[700], stack, kNow);
  EXPECT_EQ(frames.jump_to(&stack[750], 0), kNow);
  EXPECT_EQ(frames.jump_to(&stack[900], 0), kOuter);
}

TEST_F(HandlerFramesTest, DeepNestingIsStillInAHandler) {
  for (int i = 0; i < 90; i++) frames.enter(&stack[900 - 10 * i], stack, kOuter);
  EXPECT_TRUE(frames.active_at(&stack[1]));
  for (int i = 89; i > 0; i--) {
    frames.leave(&stack[900 - 10 * i]);
    EXPECT_TRUE(frames.active_at(&stack[1]));
  }
  frames.leave(&stack[900]);
  EXPECT_TRUE(frames.empty());
}

}  // namespace
}  // namespace bobbin
