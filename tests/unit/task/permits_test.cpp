// SPDX-License-Identifier: Apache-2.0
// Who withdraws a thread's permits.
#include "task/create/permits.h"

#include <gtest/gtest.h>

#include "construct/cancel.h"
#include "construct/regions/parallel.h"
#include "task/create/create.h"
#include "task/model/task_spec.h"
#include "task/model/taskgroup.h"
#include "task/wait/wait.h"

namespace bobbin {
namespace {

void on_two_threads(void (*function)(void*)) {
  ParallelClauses clauses;
  clauses.num_threads = 2;
  parallel(function, nullptr, clauses);
}

void defer_one(Thread& thread) {
  TaskSpec spec;
  spec.function = [](void*) {};
  create_task(thread, spec);
}

// The first thread keeps one task for the other, which waits at the end of the region and takes it.
TEST(Permits, AThiefWithdrawsThatOfItsVictim) {
  on_two_threads([](void*) {
    Thread& thread = self();
    Member& member = *thread.member;
    if (member.num != 0) return;
    member.defer_limit = 1;
    bool held = false;
    while (!held) {
      defer_one(thread);
      held = ask_in_place(thread) && permitted_in_place(thread);
    }
    while (permitted_in_place(thread)) cpu_pause();
    EXPECT_EQ(member.tasks.size_at_most(), 0);
  });
}

TEST(Permits, TheyEndWithTheRegion) {
  on_two_threads([](void*) {
    Thread& thread = self();
    EXPECT_FALSE(permitted_in_place(thread)) << "it begins without";
    thread.member->defer_limit = 0;
    EXPECT_TRUE(ask_in_place(thread) && ask_undeferred(thread));
  });
  EXPECT_FALSE(permitted_in_place(self()));
  EXPECT_FALSE(self().undeferred.holds_at(stack_pointer()));
}

TEST(Permits, TheyEndWhereTheTaskgroupAroundHasAState) {
  Thread& thread = self();
  taskgroup_begin(thread);
  Taskgroup& outer = *thread.task->group;
  taskgroup_begin(thread);
  EXPECT_TRUE(ask_in_place(thread));
  outer.state.store(kCancelled, relaxed);
  taskgroup_end(thread);
  EXPECT_FALSE(permitted_in_place(thread));
  EXPECT_FALSE(ask_in_place(thread));
  taskgroup_end(thread);
  EXPECT_TRUE(ask_in_place(thread));
}

}  // namespace
}  // namespace bobbin
