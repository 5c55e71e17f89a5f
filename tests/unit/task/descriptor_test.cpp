// SPDX-License-Identifier: Apache-2.0
#include "task/descriptor.h"

#include <gtest/gtest.h>

#include <cstring>

namespace bobbin {
namespace {

// Lasts as long as the process, and with it the memory that its pool keeps.
Worker& lasting_worker() {
  static auto* worker = new Worker;
  return *worker;
}

// The one block holds descriptor, data and extras side by side, whatever the data ask for.
TEST(Descriptor, PartsDoNotOverlap) {
  Worker& worker = lasting_worker();
  for (WithExtras with : {WithExtras::No, WithExtras::Yes}) {
    for (size_t size : {0u, 1u, 8u, 24u, 65u, 500u, 1800u, 1900u, 2000u, 5000u}) {
      for (size_t alignment : {1u, 8u, 16u, 64u, 128u, 4096u}) {
        Task* task = make_descriptor(worker, with, size, alignment);
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
          Task* other = make_descriptor(worker, with, size, alignment);
          ASSERT_NE(other, nullptr);
          memset(static_cast<void*>(task->extras), 0xff, sizeof(TaskExtras));
          EXPECT_EQ(other->kind, TaskKind::Deferred);
          EXPECT_EQ(other->extras->team, nullptr);
          free_descriptor(worker, other);
        }
        free_descriptor(worker, task);
      }
    }
  }
}

// What a thief touches of a dependent task with little data.
TEST(Descriptor, LittleDataAreInTwoLinesWithWhatIsUsed) {
  Worker& worker = lasting_worker();
  Task* task = make_descriptor(worker, WithExtras::Yes, 24, 8);
  ASSERT_NE(task, nullptr);
  auto offset = [task](const void* part) {
    return static_cast<const char*>(part) - reinterpret_cast<const char*>(task);
  };
  EXPECT_LT(offset(static_cast<char*>(task->data) + 23), 128);
  EXPECT_LT(offset(&task->extras->team), 128);
  EXPECT_LT(offset(&task->extras->node), 128);
  EXPECT_LT(offset(&task->extras->table), 128);
  EXPECT_LT(offset(&task->extras->own_icvs), 128);
  free_descriptor(worker, task);
}

}  // namespace
}  // namespace bobbin
