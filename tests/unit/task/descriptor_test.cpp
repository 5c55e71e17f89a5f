// SPDX-License-Identifier: Apache-2.0
#include "task/model/descriptor.h"

#include <gtest/gtest.h>

#include <cstring>

#include "../construct/fake_team.h"
#include "task/memory/bulk.h"
#include "task/model/child_count.h"

namespace bobbin {
namespace {

class Descriptor : public ::testing::Test {
 protected:
  Descriptor() {
    // It lives as long as the process, and so does the memory that its pool keeps.
    static auto* worker = new Worker;
    thread().worker = worker;
  }

  Thread& thread() { return team_.thread(0); }
  Task* make(WithExtras with, size_t size, size_t alignment) {
    return make_descriptor(thread(), with, size, alignment);
  }
  void free(Task* task) { free_descriptor(*thread().worker, task); }

  test::FakeTeam team_{1};
};

// One block holds descriptor, data and extras side by side, whatever the data demand.
TEST_F(Descriptor, PartsDoNotOverlap) {
  for (WithExtras with : {WithExtras::No, WithExtras::Yes}) {
    for (size_t size : {0u, 1u, 8u, 24u, 65u, 500u, 1800u, 1900u, 2000u, 5000u, 65536u, 100000u}) {
      for (size_t alignment : {1u, 8u, 16u, 64u, 128u, 4096u}) {
        Task* task = make(with, size, alignment);
        ASSERT_NE(task, nullptr);
        EXPECT_EQ(reinterpret_cast<uintptr_t>(task->data) % alignment, 0u);
        EXPECT_EQ(task->extras != nullptr, with == WithExtras::Yes);
        memset(task->data, 0xff, size);
        EXPECT_EQ(task->kind, TaskKind::Deferred);
        EXPECT_EQ(task->children.load(relaxed), 0u);
        if (task->extras != nullptr) {
          const TaskExtras& extras = *task->extras;
          EXPECT_EQ(extras.team, nullptr);
          EXPECT_EQ(extras.advice.hint, 0u);
          // The block after it, of the same size, does not change the end of this block.
          Task* other = make(with, size, alignment);
          ASSERT_NE(other, nullptr);
          memset(static_cast<void*>(task->extras), 0xff, sizeof(TaskExtras));
          EXPECT_EQ(other->kind, TaskKind::Deferred);
          EXPECT_EQ(other->extras->team, nullptr);
          free(other);
        }
        free(task);
      }
    }
  }
}

// Large data weigh as much as a number of small tasks.
TEST_F(Descriptor, LargeDataHaveWeight) {
  Task* small = make(WithExtras::Yes, 1800, 8);
  EXPECT_EQ(weight_of(*small), 1u);
  Task* large = make(WithExtras::No, 1 << 20, 4096);
  EXPECT_EQ(weight_of(*large), 2049u);
  // They are freed when it has completed, whether it stays or not.
  free_data(*thread().worker, *large);
  EXPECT_EQ(weight_of(*large), 1u);
  free(large);
  free(small);
}

// A look at the memory is due at each multiple of the interval that the weight passes.
TEST_F(Descriptor, WeightMakesALookDue) {
  Member& member = *thread().member;
  member.tasks_made.store(kMemoryCheckInterval - 10, relaxed);
  EXPECT_FALSE(memory_check_due(member));
  EXPECT_FALSE(memory_check_due(member, 9));
  EXPECT_TRUE(memory_check_due(member, 10));
  EXPECT_TRUE(memory_check_due(member, 5000));
  member.tasks_made.store(kMemoryCheckInterval - 1, relaxed);
  EXPECT_TRUE(memory_check_due(member));
  member.tasks_made.store(0, relaxed);
}

// Extras that are made later have room if the data leave it.
TEST_F(Descriptor, ExtrasAreMadeLater) {
  for (size_t size : {0u, 100u, 1000u, 1700u, 1800u, 3000u, 70000u, 200000u}) {
    Task* task = make(WithExtras::Room, size, 1);
    ASSERT_NE(task, nullptr);
    Task* other = make(WithExtras::Room, size, 1);
    ASSERT_NE(other, nullptr);
    memset(task->data, 0xff, size);
    equip(*task, size);
    equip(*other, size);
    EXPECT_EQ(task->extras->team, nullptr);
    memset(static_cast<void*>(task->extras), 0xff, sizeof(TaskExtras));
    memset(task->data, 0xff, size);
    EXPECT_EQ(other->kind, TaskKind::Deferred);
    EXPECT_EQ(other->extras->team, nullptr);
    free(other);
    free(task);
  }
}

// The parts that a thief touches of a dependent task with little data.
TEST_F(Descriptor, LittleDataAreInTwoLinesWithWhatIsUsed) {
  Task* task = make(WithExtras::Yes, 24, 8);
  ASSERT_NE(task, nullptr);
  auto offset = [task](const void* part) {
    return static_cast<const char*>(part) - reinterpret_cast<const char*>(task);
  };
  EXPECT_LT(offset(static_cast<char*>(task->data) + 23), 128);
  EXPECT_LT(offset(&task->extras->team), 128);
  EXPECT_LT(offset(&task->extras->node), 128);
  EXPECT_LT(offset(&task->extras->table), 128);
  EXPECT_LT(offset(&task->extras->own_icvs), 128);
  free(task);
}

}  // namespace
}  // namespace bobbin
