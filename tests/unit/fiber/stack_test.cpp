// SPDX-License-Identifier: Apache-2.0
#include "fiber/context/stack.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <set>

#include "platform/memory.h"

namespace bobbin {
namespace {

constexpr size_t kSize = 256 * 1024;
constexpr size_t kOther = 512 * 1024;

long pages_mapped() {
  long pages = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  EXPECT_EQ(std::fscanf(file, "%ld", &pages), 1);
  std::fclose(file);
  return pages;
}

// While this object lives, no more memory can be mapped.
class NoMoreMemory {
 public:
  NoMoreMemory() {
    getrlimit(RLIMIT_AS, &before_);
    rlimit none = before_;
    none.rlim_cur = 1;
    setrlimit(RLIMIT_AS, &none);
  }
  ~NoMoreMemory() { setrlimit(RLIMIT_AS, &before_); }
  NoMoreMemory(const NoMoreMemory&) = delete;
  NoMoreMemory& operator=(const NoMoreMemory&) = delete;

 private:
  rlimit before_{};
};

TEST(Stack, ThatThereIsNoneLeavesErrnoAlone) {
  set_stack_size(kSize);
  Stack* pooled = take_stack();
  ASSERT_NE(pooled, nullptr);
  give_stack(pooled);
  {
    const NoMoreMemory none;
    EXPECT_EQ(take_stack(), pooled);
    errno = 0;
    EXPECT_EQ(take_stack(), nullptr);
    EXPECT_EQ(errno, 0);
  }
  give_stack(pooled);
}

// Otherwise the first frames of all stacks would compete for the same cache lines.
TEST(Stack, TopsLieAtDifferentPlacesOfTheirPages) {
  set_stack_size(kSize);
  std::set<uintptr_t> places;
  Stack* taken[16];
  for (Stack*& stack : taken) {
    stack = take_stack();
    ASSERT_NE(stack, nullptr);
    const auto top = reinterpret_cast<uintptr_t>(stack->top());
    EXPECT_EQ(top % kCacheLine, 0U);
    places.insert(top % 4096);
  }
  EXPECT_EQ(places.size(), 16U);
  for (Stack* stack : taken) give_stack(stack);
}

TEST(Stack, TheSameSizeAgainCostsNothing) {
  set_stack_size(kSize);
  Stack* first = take_stack();
  ASSERT_NE(first, nullptr);
  give_stack(first);
  set_stack_size(kSize);
  Stack* second = take_stack();
  EXPECT_EQ(first, second);
  give_stack(second);
}

TEST(Stack, ThoseOfAnotherSizeAreUsedAgainWhenItIs) {
  set_stack_size(kSize);
  Stack* small = take_stack();
  ASSERT_NE(small, nullptr);
  std::memset(small->limit(), 1, 100);
  give_stack(small);
  long mapped = 0;
  for (int turn = 0; turn < 10; turn++) {
    set_stack_size(kOther);
    Stack* big = take_stack();
    ASSERT_NE(big, nullptr);
    EXPECT_GT(big->size, small->size);
    set_stack_size(kSize);
    give_stack(big);  // this size is no longer wanted
    Stack* again = take_stack();
    EXPECT_EQ(again->size, small->size);
    EXPECT_EQ(again->limit()[0], 0);  // its memory was given back meanwhile
    again->limit()[0] = 1;
    give_stack(again);
    if (turn == 0) mapped = pages_mapped();
  }
  EXPECT_EQ(pages_mapped(), mapped);
}

}  // namespace
}  // namespace bobbin
