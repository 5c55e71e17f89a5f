// SPDX-License-Identifier: Apache-2.0
// Moving undeferred tasks to the heap.
#include "task/model/promotion.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "construct/regions/parallel.h"
#include "no_more_memory.h"
#include "task/create/in_place.h"
#include "task/create/prepared.h"

namespace bobbin {
namespace {

// A task whose block the program runs may be outlived by its children. Without memory for the tasks
// above it, it has no children that could outlive them. This test is the first one, because then no
// pool has memory left.
TEST(Promote, PreparedTasksAreFinalWhereItFails) {
  if (!test::NoMoreMemory::possible()) GTEST_SKIP();
  ParallelClauses clauses;
  clauses.num_threads = 1;
  parallel(
      [](void*) {
        constexpr uint32_t kLevels = 1'000'000;  // more than the allocator has available
        Thread& thread = self();
        Task* const implicit = thread.task;
        Task& prepared = *prepare_task(thread, 0);
        std::vector<std::unique_ptr<Task>> tasks;
        for (uint32_t level = 0; level < kLevels; level++) {
          tasks.push_back(std::make_unique<Task>(*thread.task, false, true));
          thread.task = tasks.back().get();
        }
        {
          test::NoMoreMemory scope;
          begin_prepared(thread, prepared, 0, false, true, Impex::Export);
        }
        EXPECT_TRUE(thread.task->final_task);
        EXPECT_FALSE(thread.task->in_order);
        end_prepared(thread, prepared, 0);
        ASSERT_EQ(thread.task, tasks.back().get());
        // Some have moved, some have not: each returns to the one above it.
        EXPECT_EQ(tasks.front()->kind, TaskKind::Promoted);
        for (uint32_t level = kLevels; level-- > 0;) {
          end_in_place(thread, *tasks[level]);
          ASSERT_EQ(thread.task->depth, implicit->depth + level);
        }
        EXPECT_EQ(thread.task, implicit);
      },
      nullptr, clauses);
}

// Deeper than a stack has room for.
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
          thread.task = end_undeferred(thread);
        }
        EXPECT_EQ(thread.task, implicit);
      },
      nullptr, clauses);
}

}  // namespace
}  // namespace bobbin
