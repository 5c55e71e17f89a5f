// SPDX-License-Identifier: Apache-2.0
#include "platform/locks/spinlock.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <thread>
#include <vector>

namespace bobbin {
namespace {

TEST(SpinLock, TryLock) {
  SpinLock lock;
  EXPECT_TRUE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock());
  lock.unlock();
  EXPECT_TRUE(lock.try_lock());
}

TEST(SpinLockStress, MutualExclusion) {
  constexpr int kThreads = 4;
  constexpr long kRounds = 200'000;
  SpinLock lock;
  long count = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (long round = 0; round < kRounds; ++round) {
        SpinGuard guard(lock);
        ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, kThreads * kRounds);
}

// The lock is held longer than any thread spins: the others sleep, and all of them must be woken.
TEST(SpinLockStress, SleepersAreWoken) {
  SpinLock lock;
  long count = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&] {
      for (int round = 0; round < 300; ++round) {
        SpinGuard guard(lock);
        ++count;
        std::this_thread::yield();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 6 * 300);
}

TEST(Futex, LeavesErrnoAlone) {
  Atomic<std::uint32_t> word{0};
  errno = 4711;
  EXPECT_EQ(futex_wait(word, 1), FutexResult::Changed);
  EXPECT_EQ(futex_wait(word, 0, 1000), FutexResult::TimedOut);
  EXPECT_EQ(futex_wake(word, 1), 0);
  EXPECT_EQ(errno, 4711);
}

}  // namespace
}  // namespace bobbin
