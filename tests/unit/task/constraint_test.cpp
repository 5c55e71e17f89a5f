// SPDX-License-Identifier: Apache-2.0
#include "task/model/constraint.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <thread>

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

}  // namespace
}  // namespace bobbin
