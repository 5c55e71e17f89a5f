// SPDX-License-Identifier: Apache-2.0
#include "task/model/constraint.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <thread>

#include "task/create/in_place.h"
#include "task/create/prepared.h"

namespace bobbin {
namespace {

// A thief looks at a completed task whose descriptor meanwhile becomes another task's. The thief
// follows it to tasks that it did not know. ThreadSanitizer reports a race if the thief does not
// know that their memory was made before.
TEST(Constraint, ThiefFollowsDescriptorThatIsUsedAgain) {
  Team team;
  Task current;
  current.depth = 1;
  Task candidate;
  candidate.depth = 2;
  candidate.parent = &current;

  Task* made = nullptr;
  std::thread other([&candidate, &made] {
    made = new (aligned_alloc(kCacheLine, kCacheLine)) Task;
    made->depth = 1;
    candidate.depth = 2;
    candidate.parent = made;
  });
  while (descends_from(candidate, current, team)) std::this_thread::yield();
  EXPECT_FALSE(descends_from(candidate, current, team));
  other.join();
  EXPECT_TRUE(descends_from(candidate, *made, team));
  free(made);
}

// An undeferred task that the program runs within one on a stack. A thief may still look at the
// block, which was another task's. It would follow what it finds there.
TEST(Constraint, ThiefIsNotLedOntoAStack) {
  constexpr size_t kBytes = 40;
  Thread& thread = self();
  Task* const outermost = thread.task;
  Task& seen = *prepare_task(thread, kBytes);
  seen.inherit(*outermost, false, true);
  free_prepared(thread, seen);

  Task on_stack(*outermost, false, true);
  thread.task = &on_stack;
  Task& prepared = *prepare_task(thread, kBytes);
  ASSERT_EQ(&prepared, &seen);
  begin_prepared(thread, prepared, kBytes, false, true, Impex::None);
  EXPECT_EQ(thread.task->parent, &on_stack);
  EXPECT_NE(seen.parent, &on_stack);
  // Wherever the task lies, its data and all of its descriptor are in the block.
  EXPECT_GE(reinterpret_cast<char*>(thread.task), static_cast<char*>(prepared.data) + kBytes);
  end_prepared(thread, prepared, kBytes);
  EXPECT_EQ(thread.task, &on_stack);
  end_in_place(thread, on_stack);
  EXPECT_EQ(thread.task, outermost);
}

}  // namespace
}  // namespace bobbin
