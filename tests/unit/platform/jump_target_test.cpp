// SPDX-License-Identifier: Apache-2.0
#include "platform/signals/jump_target.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace bobbin {
namespace {

sigjmp_buf buffer;

// The frame of the function that has filled the buffer lies at the target and above it.
[[gnu::noinline]] void fill_and_look() {
  if (sigsetjmp(buffer, 0) != 0) return;
  const auto target = reinterpret_cast<uintptr_t>(jump_target(buffer[0]));
  const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  EXPECT_LE(target, frame);
  EXPECT_GT(target, frame - 4096);
}

[[gnu::noinline]] void fill_and_look_deeper() {
  volatile char room[10000];
  room[0] = 0;
  fill_and_look();
  room[9999] = room[0];
}

TEST(JumpTarget, IsTheStackPointerOfTheFunctionThatFilledTheBuffer) {
  fill_and_look();
  fill_and_look_deeper();
}

}  // namespace
}  // namespace bobbin
