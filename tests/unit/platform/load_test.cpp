// SPDX-License-Identifier: Apache-2.0
#include "platform/processors/load.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <thread>

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

TEST(Load, KnowsWhoSleeps) {
  std::atomic<pid_t> id{0};
  std::atomic<bool> end{false};
  std::thread sleeper([&] {
    id = static_cast<pid_t>(syscall(SYS_gettid));
    end.wait(false);
  });
  while (id == 0) continue;
  while (!kernel_thread_sleeps(id)) continue;
  end = true;
  end.notify_all();
  sleeper.join();
  EXPECT_FALSE(kernel_thread_sleeps(static_cast<pid_t>(syscall(SYS_gettid))));
  EXPECT_FALSE(kernel_thread_sleeps(0));
}

// The waits of a program's threads call it.
TEST(Load, KeepsErrno) {
  errno = E2BIG;
  EXPECT_EQ(runnable_kernel_threads("/nowhere"), 0u);
  EXPECT_EQ(errno, E2BIG);
}

}  // namespace
}  // namespace bobbin
