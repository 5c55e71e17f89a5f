// SPDX-License-Identifier: Apache-2.0
#include "task/descriptor.h"

#include <gtest/gtest.h>

#include <cstring>

#include "../construct/fake_team.h"

namespace bobbin {
namespace {

class Descriptor : public ::testing::Test {
 protected:
  Descriptor() {
    // Lasts as long as the process, and with it the memory that its pool keeps.
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

// The one block holds descriptor, data and extras side by side, whatever the data ask for.
TEST_F(Descriptor, PartsDoNotOverlap) {
  for (WithExtras with : {WithExtras::No, WithExtras::Yes}) {
    for (size_t size : {0u, 1u, 8u, 24u, 65u, 500u, 1800u, 1900u, 2000u, 5000u}) {
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
          // The block that follows it, of the same size, leaves the end of this one alone.
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

// Large data count as long as they are there, and have those who make more of them look.
TEST_F(Descriptor, LargeDataAreCounted) {
  const Atomic<uint64_t>& units = team_.team().bulk_units;
  Task* small = make(WithExtras::Yes, 1800, 8);
  EXPECT_EQ(units.load(), 0u);
  Task* large = make(WithExtras::No, 1 << 20, 4096);
  EXPECT_EQ(units.load(), 2048u);
  EXPECT_EQ(thread().member->bulk_unseen, 2048u);
  free(large);
  free(small);
  EXPECT_EQ(units.load(), 0u);
}

// What a thief touches of a dependent task with little data.
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
