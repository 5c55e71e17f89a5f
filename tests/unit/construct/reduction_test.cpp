// SPDX-License-Identifier: Apache-2.0
// Task reductions on the descriptor arrays that GCC builds.
#include "construct/reductions/reduction.h"
#include "construct/reductions/in_reduction.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "fake_team.h"

namespace bobbin {
namespace {

using test::FakeTeam;

// Items in the compiler's layout: `count` doubles, 8 bytes apart.
template <size_t kCount>
struct Descriptor {
  std::array<uintptr_t, 7 + 3 * kCount> words{};

  explicit Descriptor(double* items) {
    words[0] = kCount;
    words[1] = 64;
    words[2] = 64;
    words[3] = static_cast<uintptr_t>(-1);
    for (size_t i = 0; i < kCount; i++) {
      words[7 + 3 * i] = reinterpret_cast<uintptr_t>(&items[i]);
      words[7 + 3 * i + 1] = 8 * i;
    }
  }
  uintptr_t* data() { return words.data(); }
  // The addresses of the copies, once they are made.
  char* copies(unsigned num) const { return reinterpret_cast<char*>(words[2]) + num * words[1]; }
};

TEST(Reduction, EachThreadHasAZeroedCopy) {
  FakeTeam team(3);
  double items[2];
  Descriptor<2> descriptor(items);
  taskgroup_begin(team.thread(0));
  register_reductions(team.thread(0), descriptor.data());
  Taskgroup* group = team.thread(0).task->group;
  for (unsigned num = 0; num < 3; num++) {
    Thread& thread = team.thread(num);
    thread.task->group = group;
    void* wanted[4] = {&items[1], &items[0], nullptr, nullptr};
    remap_reductions(thread, 2, 2, wanted);
    EXPECT_EQ(wanted[0], descriptor.copies(num) + 8);
    EXPECT_EQ(wanted[1], descriptor.copies(num));
    EXPECT_EQ(wanted[2], &items[1]);
    EXPECT_EQ(wanted[3], &items[0]);
    for (int byte = 0; byte < 64; byte++) EXPECT_EQ(descriptor.copies(num)[byte], 0);
  }
  taskgroup_end(team.thread(0));
  unregister_reductions(descriptor.data());
}

TEST(Reduction, ACopyLeadsToTheCopyOfAnotherThread) {
  FakeTeam team(2);
  double items[3];
  Descriptor<3> descriptor(items);
  taskgroup_begin(team.thread(0));
  register_reductions(team.thread(0), descriptor.data());
  team.thread(1).task->group = team.thread(0).task->group;
  void* wanted[2] = {descriptor.copies(0) + 16, nullptr};
  remap_reductions(team.thread(1), 1, 1, wanted);
  EXPECT_EQ(wanted[0], descriptor.copies(1) + 16);
  EXPECT_EQ(wanted[1], &items[2]);
  taskgroup_end(team.thread(0));
  unregister_reductions(descriptor.data());
}

TEST(Reduction, InnerRegionsSeeTheOuterOnes) {
  FakeTeam team(2);
  Thread& thread = team.thread(1);
  double outer_items[1];
  double inner_items[1];
  Descriptor<1> outer(outer_items);
  Descriptor<1> inner(inner_items);
  taskgroup_begin(thread);
  register_reductions(thread, outer.data());
  taskgroup_begin(thread);  // without reductions of its own
  taskgroup_begin(thread);
  register_reductions(thread, inner.data());
  void* wanted[2] = {&outer_items[0], &inner_items[0]};
  remap_reductions(thread, 2, 0, wanted);
  EXPECT_EQ(wanted[0], outer.copies(1));
  EXPECT_EQ(wanted[1], inner.copies(1));
  taskgroup_end(thread);
  unregister_reductions(inner.data());
  taskgroup_end(thread);
  wanted[0] = &outer_items[0];
  remap_reductions(thread, 1, 0, wanted);
  EXPECT_EQ(wanted[0], outer.copies(1));
  taskgroup_end(thread);
  unregister_reductions(outer.data());
}

TEST(Reduction, OneConstructMayHaveSeveralArrays) {
  FakeTeam team(2);
  Thread& thread = team.thread(0);
  double items[2];
  Descriptor<1> first(&items[0]);
  Descriptor<1> second(&items[1]);
  first.words[4] = reinterpret_cast<uintptr_t>(second.data());
  taskgroup_begin(thread);
  register_reductions(thread, first.data());
  void* wanted[2] = {&items[0], &items[1]};
  remap_reductions(thread, 2, 0, wanted);
  EXPECT_EQ(wanted[0], first.copies(0));
  EXPECT_EQ(wanted[1], second.copies(0));
  taskgroup_end(thread);
  unregister_reductions(first.data());
}

TEST(Reduction, WorksharingThreadsAgreeOnTheCopies) {
  FakeTeam team(2);
  double items[1];
  Descriptor<1> mine(items);
  Descriptor<1> theirs(items);
  enter_share_with(team.thread(0), {.reductions = mine.data()}, [](WorkShare&) {});
  enter_share_with(team.thread(1), {.reductions = theirs.data()}, [](WorkShare&) {});
  EXPECT_EQ(mine.words[2], theirs.words[2]);
  EXPECT_EQ(mine.words[6], theirs.words[6]);
  for (unsigned num : {0u, 1u}) {
    void* wanted[1] = {&items[0]};
    remap_reductions(team.thread(num), 1, 0, wanted);
    EXPECT_EQ(wanted[0], mine.copies(num));
    leave_share(team.thread(num));
    taskgroup_end(team.thread(num));
  }
  team.team().work_shares.release_all_copies();
}

// Threads leave one by one. Tasks of other threads use the copies after thread 0 has left, and
// begin after the first thread's arrays have gone from its stack.
TEST(Reduction, OfACancelledRegionLastToItsEnd) {
  FakeTeam team(3);
  double items[1];
  Descriptor<1> mine(items);
  Descriptor<1> theirs(items);
  Descriptor<1> late(items);
  for (auto* descriptor : {&mine, &theirs}) {
    unsigned num = descriptor == &mine ? 0 : 1;
    enter_share_with(team.thread(num), {.reductions = descriptor->data()}, [](WorkShare&) {});
  }
  for (unsigned num = 0; num < 3; num++) memset(theirs.copies(num), 99, 64);
  team.team().cancelled.store(true, relaxed);
  leave_share(team.thread(0));
  end_share_reductions(team.thread(0), true);
  mine.words.fill(1);

  for (unsigned num = 0; num < 3; num++) {
    for (int byte = 0; byte < 64; byte++) EXPECT_EQ(theirs.copies(num)[byte], 99);
  }
  enter_share_with(team.thread(2), {.reductions = late.data()}, [](WorkShare&) {});
  for (unsigned num : {1u, 2u}) {
    void* wanted[1] = {&items[0]};
    remap_reductions(team.thread(num), 1, 0, wanted);
    EXPECT_EQ(wanted[0], theirs.copies(num));
    leave_share(team.thread(num));
    end_share_reductions(team.thread(num), true);
  }
  EXPECT_TRUE(team.team().work_shares.used.load(relaxed));
  team.team().work_shares.reset();
}

TEST(ShareMemory, IsZeroedAndShared) {
  FakeTeam team(2);
  void* memory[2] = {reinterpret_cast<void*>(100), reinterpret_cast<void*>(100)};
  for (unsigned num : {0u, 1u}) {
    enter_share_with(team.thread(num), {.memory = &memory[num]}, [](WorkShare&) {});
  }
  EXPECT_EQ(memory[0], memory[1]);
  const char zeros[100] = {};
  EXPECT_EQ(std::memcmp(memory[0], zeros, 100), 0);
  for (unsigned num : {0u, 1u}) leave_share(team.thread(num));
}

}  // namespace
}  // namespace bobbin
