// SPDX-License-Identifier: Apache-2.0
#include "fiber/stack.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

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

// Nothing more can be mapped while it lives.
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

TEST(Stack, WhoWasPromisedOneFindsItWhoeverElseTakesSome) {
  set_stack_size(kSize);
  ASSERT_TRUE(reserve_stacks(2));
  Stack* spare = borrow_stack();  // mapped, beside those two
  ASSERT_NE(spare, nullptr);
  return_stack(spare);
  Stack* taken[3] = {};
  {
    const NoMoreMemory none;
    taken[0] = borrow_stack();
    taken[1] = taken[0] != nullptr ? borrow_stack() : nullptr;
    EXPECT_NE(taken[0], nullptr);
    EXPECT_EQ(taken[1], nullptr);
    taken[1] = take_stack();
    taken[2] = take_stack();
    EXPECT_NE(taken[1], nullptr);
    EXPECT_NE(taken[2], nullptr);
    errno = 0;
    EXPECT_EQ(borrow_stack(), nullptr);
    EXPECT_EQ(errno, 0);
  }
  return_stack(taken[0]);
  give_stack(taken[1]);
  give_stack(taken[2]);
  unreserve_stacks(2);
}

TEST(Stack, APromiseDoesNotCountOnThoseThatAreLent) {
  set_stack_size(kSize);
  constexpr int kStacks = 64;
  Stack* lent[kStacks];
  Stack* taken[kStacks];
  for (Stack*& stack : lent) stack = borrow_stack();
  ASSERT_TRUE(reserve_stacks(kStacks));
  {
    const NoMoreMemory none;
    for (Stack*& stack : taken) stack = take_stack();
  }
  for (Stack* stack : taken) {
    ASSERT_NE(stack, nullptr);
    give_stack(stack);
  }
  unreserve_stacks(kStacks);
  for (Stack* stack : lent) return_stack(stack);
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
    give_stack(big);  // not of the size that is wanted by now
    Stack* again = take_stack();
    EXPECT_EQ(again->size, small->size);
    EXPECT_EQ(again->limit()[0], 0);  // its memory was given back meanwhile
    again->limit()[0] = 1;
    give_stack(again);
    if (turn == 0) mapped = pages_mapped();
  }
  EXPECT_EQ(pages_mapped(), mapped);
}

// What is promised counts stacks of the size that is wanted only.
TEST(Stack, PromisesHoldAfterAnotherSize) {
  set_stack_size(kSize);
  ASSERT_TRUE(reserve_stacks(1));
  set_stack_size(kOther);
  ASSERT_TRUE(reserve_stacks(1));
  Stack* first = nullptr;
  Stack* second = nullptr;
  {
    const NoMoreMemory none;
    first = take_stack();
    second = take_stack();
  }
  ASSERT_NE(first, nullptr);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(first->size, second->size);
  give_stack(first);
  give_stack(second);
  unreserve_stacks(2);
}

}  // namespace
}  // namespace bobbin
