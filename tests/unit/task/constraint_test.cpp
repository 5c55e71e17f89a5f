// SPDX-License-Identifier: Apache-2.0
#include "task/model/constraint.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <thread>

namespace bobbin {
namespace {

// A thief looks at a task that is gone, and its descriptor is made another task's meanwhile: he
// follows it to tasks that he has never heard of. ThreadSanitizer tells if their memory is not
// known to have been made before.
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
