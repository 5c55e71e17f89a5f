// SPDX-License-Identifier: Apache-2.0
// What code in programs makes of a task is what the runtime makes of it.
#include <gtest/gtest.h>

#include <cstring>

#include "abi/kmp/task_image.h"
#include "bobbin/inline/loop.h"
#include "bobbin/inline/task.h"
#include "construct/loop_batches.h"
#include "task/model/taskgroup.h"
#include "team/team.h"

namespace bobbin {
namespace {

// Both make a task within `parent`, in memory with the same bytes before.
void expect_same(Task& parent, bool is_final, bool is_tied) {
  alignas(Task) unsigned char ours[sizeof(Task)];
  alignas(Task) unsigned char theirs[sizeof(Task)];
  memset(ours, 0x5a, sizeof ours);
  memset(theirs, 0x5a, sizeof theirs);
  Thread& thread = self();
  Task* before = thread.task;
  thread.task = &parent;
  new (ours) Task(parent, is_final, is_tied);
  bobbin_begin_(bobbin_self_v1, reinterpret_cast<bobbin_task_v1*>(theirs), is_final, is_tied);
  EXPECT_EQ(static_cast<void*>(thread.task), static_cast<void*>(theirs));
  bobbin_end_(bobbin_self_v1, reinterpret_cast<bobbin_task_v1*>(theirs));
  EXPECT_EQ(thread.task, &parent);
  thread.task = before;
  EXPECT_EQ(memcmp(ours, theirs, sizeof ours), 0) << is_final << is_tied;
}

TEST(InlineLayout, TheDescriptorsAreTheSame) {
  for (bool parent_final : {false, true}) {
    for (bool is_final : {false, true}) {
      for (bool is_tied : {false, true}) {
        Task parent;
        parent.final_task = parent_final;
        parent.own_stack = parent.imports = true;
        parent.depth = 7;
        Taskgroup group;
        parent.group = &group;
        expect_same(parent, is_final, is_tied);
      }
    }
  }
}

TEST(InlineLayout, MarksAreWhereTheyAreReadAndWritten) {
  Task task;
  void* address = &task;
  const auto& seen = *static_cast<const bobbin_task_v1*>(address);
  EXPECT_EQ(seen.marks, 0);
  task.order_goes_beyond = true;
  EXPECT_EQ(seen.marks, BOBBIN_ORDER_GOES_BEYOND_V1);
  EXPECT_EQ(seen.is_final & 1, 0);
  task.final_task = true;
  EXPECT_EQ(seen.is_final & 1, 1);
  task.children.store(3, relaxed);
  EXPECT_EQ(seen.children, 3U);
}

TEST(InlineLayout, APlainTaskRunsInPlaceOnlyIfNothingSpeaksAgainstIt) {
  Thread& thread = self();
  Member& member = *thread.member;
  bobbin_task_v1 task;
  EXPECT_TRUE(bobbin_in_place_(bobbin_self_v1, 1));
  member.defer_below = 1;
  EXPECT_FALSE(bobbin_in_place_(bobbin_self_v1, 1));
  EXPECT_TRUE(bobbin_in_place_(bobbin_self_v1, 0));
  member.defer_below = BOBBIN_DEFER_ALL_V1;
  EXPECT_FALSE(bobbin_in_place_(bobbin_self_v1, 0));
  member.defer_below = 0;
  member.team->cancelled.store(true, relaxed);
  EXPECT_FALSE(bobbin_in_place_(bobbin_self_v1, 1));
  EXPECT_FALSE(bobbin_in_place_(bobbin_self_v1, 0));
  member.team->cancelled.store(false, relaxed);
  Taskgroup group;
  thread.task->group = &group;
  EXPECT_TRUE(bobbin_in_place_(bobbin_self_v1, 1));
  group.state.store(kCancelled, relaxed);
  EXPECT_FALSE(bobbin_in_place_(bobbin_self_v1, 1));
  group.state.store(0, relaxed);
  group.internal = true;
  EXPECT_FALSE(bobbin_in_place_(bobbin_self_v1, 1));
  thread.task->group = nullptr;
  const char* limit = thread.stack_limit;
  thread.stack_limit = reinterpret_cast<const char*>(&task) + 1;
  EXPECT_FALSE(bobbin_in_place_(bobbin_self_v1, 1));
  thread.stack_limit = limit;
  EXPECT_TRUE(bobbin_in_place_(bobbin_self_v1, 1));
}

// An undeferred task of LLVM's compilers: where its data end, and never before them.
TEST(InlineLayout, TheDescriptorIsBehindTheImage) {
  for (size_t bytes : {size_t{24}, size_t{40}, kSmallData}) {
    kmp::TaskImage& image = *kmp::make_image(kmp::kTied, bytes, 0, nullptr);
    auto* seen = reinterpret_cast<bobbin_image_v1*>(&image);
    const void* programs = bobbin_task_behind_(seen);
    EXPECT_EQ(programs, room_for_extras(kmp::task_of(image), kmp::data_bytes_of(image)));
    EXPECT_EQ(static_cast<const char*>(programs), reinterpret_cast<char*>(&image) + bytes);
    kmp::discard_image(self(), image);
  }
}

TEST(InlineLayout, ProgramsTakeChunksAsTheRuntimeDoes) {
  const ChunkBatch drawn{
      .left = 5, .begin = 100, .stride = uint64_t{0} - 6, .step = uint64_t{0} - 3};
  ChunkBatch& batch = self().member->position.batch;
  batch = drawn;
  ChunkBatch runtimes = drawn;
  uint64_t begin;
  uint64_t end;
  while (next_of_batch(runtimes, begin, end)) {
    bobbin_batch_v1* programs = bobbin_batch_(bobbin_self_v1);
    ASSERT_NE(programs, nullptr);
    EXPECT_EQ(bobbin_take_chunk_(programs), begin);
    EXPECT_EQ(programs->begin, end);
    EXPECT_EQ(programs->left, runtimes.left);
  }
  EXPECT_EQ(bobbin_batch_(bobbin_self_v1), nullptr) << "the last chunk is the runtime's";
  EXPECT_EQ(bobbin_batch_(nullptr), nullptr);
  batch = ChunkBatch{};
}

}  // namespace
}  // namespace bobbin
