// SPDX-License-Identifier: Apache-2.0
#include "platform/load.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "file_tree.h"

namespace bobbin {
namespace {

TEST(Load, CountsTheRunnable) {
  FileTree tree;
  auto count = [&](const char* text) {
    tree.write("loadavg", text);
    return runnable_kernel_threads(tree.path("loadavg").c_str());
  };
  EXPECT_EQ(count("0.20 0.18 0.12 3/80 11206\n"), 3u);
  EXPECT_EQ(count("12.00 9.10 8.00 128/4096 77"), 128u);
  EXPECT_EQ(count(""), 0u);
  EXPECT_EQ(count("0.20 0.18 0.12"), 0u);
  EXPECT_EQ(count("0.20 0.18 0.12 /80 11206"), 0u);
  EXPECT_EQ(count("0.20 0.18 0.12 x/80 11206"), 0u);
  EXPECT_EQ(runnable_kernel_threads("/nowhere"), 0u);
  EXPECT_GE(runnable_kernel_threads(), 1u);
}

// It is asked in the waits of a program's threads.
TEST(Load, KeepsErrno) {
  errno = E2BIG;
  EXPECT_EQ(runnable_kernel_threads("/nowhere"), 0u);
  EXPECT_EQ(errno, E2BIG);
}

}  // namespace
}  // namespace bobbin
