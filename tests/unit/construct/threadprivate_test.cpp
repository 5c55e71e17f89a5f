// SPDX-License-Identifier: Apache-2.0
#include "construct/memory/threadprivate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "team/model/root.h"

namespace bobbin {
namespace {

struct Variable {
  int original;
  void** table = nullptr;

  int& mine() {
    return *static_cast<int*>(threadprivate(self(), &original, sizeof original, &table));
  }
};

TEST(Threadprivate, TheFirstRootHasTheOriginal) {
  Variable variable{5};
  EXPECT_EQ(&variable.mine(), &variable.original);
  variable.mine() = 6;
  std::thread([&] {
    EXPECT_NE(&variable.mine(), &variable.original);
    EXPECT_EQ(variable.mine(), 5);
    variable.mine()++;
    EXPECT_EQ(variable.mine(), 6);
  }).join();
  EXPECT_EQ(variable.original, 6);
  // A later thread may get the same number, but not the same copy.
  std::thread([&] { EXPECT_EQ(variable.mine(), 5); }).join();
}

TEST(Threadprivate, WithoutAPlaceForTheTable) {
  static int original = 3;
  void* copy = threadprivate(self(), &original, sizeof original, nullptr);
  EXPECT_EQ(copy, &original);
  std::thread([&] {
    void* mine = threadprivate(self(), &original, sizeof original, nullptr);
    EXPECT_NE(mine, &original);
    EXPECT_EQ(threadprivate(self(), &original, sizeof original, nullptr), mine);
  }).join();
}

// A common block that is longer in another file: its copy would be shorter than the program
// expects.
TEST(Threadprivate, ALargerSizeThanAtFirst) {
  static int original[2];
  void** table = nullptr;
  auto mine = [&](int length) {
    return threadprivate(self(), original, static_cast<size_t>(length) * sizeof(int), &table);
  };
  EXPECT_EQ(mine(1), original);
  EXPECT_EQ(mine(2), original);
  auto in_another_thread = [&](int length, int longer) {
    std::thread([&] {
      void* copy = mine(length);
      EXPECT_EQ(mine(length), copy);
      mine(longer);
    }).join();
  };
  in_another_thread(1, 1);
  const char* told = "of 8 bytes had only 4";
  EXPECT_EXIT(in_another_thread(1, 2), testing::ExitedWithCode(EXIT_FAILURE), told);
  EXPECT_EXIT(in_another_thread(2, 2), testing::ExitedWithCode(EXIT_FAILURE), told);
}

// This happens when a spare worker has taken over the main thread: the original still belongs to
// the main thread when that kernel thread ends.
TEST(Threadprivate, FirstUsedByTheMainThreadOnAnotherKernelThread) {
  Variable variable{4};
  Thread& main_thread = self();
  auto mine = [&] {
    return threadprivate(main_thread, &variable.original, sizeof variable.original, nullptr);
  };
  std::thread([&] { EXPECT_EQ(mine(), &variable.original); }).join();
  EXPECT_EQ(mine(), &variable.original);
}

TEST(Threadprivate, TablesGrowWhileOthersRead) {
  constexpr int kThreads = 200;  // more than the first table holds
  Variable variable{1};
  std::atomic<int> ready{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; i++) {
    threads.emplace_back([&, i] {
      int* mine = &variable.mine();
      *mine = i;
      ready++;
      while (ready < kThreads) {
        EXPECT_EQ(&variable.mine(), mine);
        std::this_thread::yield();
      }
      EXPECT_EQ(variable.mine(), i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

std::atomic<int> alive{0};

TEST(Threadprivate, CopiesAreMadeAndUnmade) {
  static int original = 0;
  ThreadprivateMaker maker;
  maker.construct = [](void* memory) {
    alive++;
    *static_cast<int*>(memory) = 42;
    return memory;
  };
  maker.destroy = [](void* memory) {
    EXPECT_EQ(*static_cast<int*>(memory), 43);
    alive--;
  };
  register_threadprivate(&original, maker);
  void** table = nullptr;
  auto mine = [&]() -> int& {
    return *static_cast<int*>(threadprivate(self(), &original, sizeof original, &table));
  };
  EXPECT_EQ(&mine(), &original);
  for (int i = 0; i < 3; i++) {
    std::thread([&] {
      EXPECT_EQ(mine()++, 42);
      EXPECT_EQ(alive, 1);
    }).join();
    EXPECT_EQ(alive, 0);
  }
}

}  // namespace
}  // namespace bobbin
