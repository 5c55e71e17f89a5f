// SPDX-License-Identifier: Apache-2.0
// Moving undeferred tasks to the heap.
#include "task/promote.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "construct/parallel.h"

namespace bobbin {
namespace {

// Deeper than a stack would have room for.
TEST(Promote, AsManyLevelsAsThereAre) {
  constexpr uint32_t kLevels = 1'000'000;
  ParallelClauses clauses;
  clauses.num_threads = 1;
  parallel(
      [](void*) {
        Thread& thread = self();
        Task* const implicit = thread.task;
        std::vector<std::unique_ptr<Task>> tasks;
        for (uint32_t level = 0; level < kLevels; level++) {
          tasks.push_back(std::make_unique<Task>(*thread.task, false, true));
          thread.task = tasks.back().get();
        }
        ASSERT_TRUE(promote_current(thread));
        EXPECT_EQ(thread.task->depth, implicit->depth + kLevels);
        for (uint32_t level = kLevels; level-- > 0;) {
          ASSERT_EQ(thread.task->kind, TaskKind::Deferred);
          ASSERT_EQ(task_identity(*thread.task), tasks[level].get());
          thread.task = end_undeferred(*thread.task);
        }
        EXPECT_EQ(thread.task, implicit);
      },
      nullptr, clauses);
}

}  // namespace
}  // namespace bobbin
