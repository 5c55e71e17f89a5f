// SPDX-License-Identifier: Apache-2.0
// Tasks that are deferred without further checks, and their execution.
#include "task/create/defer_plain.h"

#include <gtest/gtest.h>

#include "../construct/fake_team.h"
#include "task/model/child_count.h"
#include "team/model/task_hooks.h"

namespace bobbin {
namespace {

// It lives as long as the process, and so does the memory that its pool keeps.
Worker& lasting_worker() {
  static auto* worker = new Worker;
  return *worker;
}

constexpr uint32_t kWanted = 4;

void add(void* data) {
  auto** words = static_cast<long**>(data);
  *words[0] += *reinterpret_cast<long*>(words + 1);
}

class DeferPlain : public ::testing::Test {
 protected:
  DeferPlain() {
    thread().worker = &lasting_worker();
    member().defer_limit = kWanted;
  }

  Thread& thread() { return team_.thread(0); }
  Member& member() { return *thread().member; }
  Task& current() { return *thread().task; }

  bool defer(size_t size = 2 * sizeof(long), size_t alignment = alignof(long)) {
    struct {
      long* sum;
      long summand;
      char rest[4096];
    } data{&sum_, next_, {}};
    if (!defer_plain(thread(), add, &data, nullptr, size, alignment, true)) return false;
    next_ *= 10;
    return true;
  }
  void execute_all() {
    while (run_a_task(thread())) {
    }
  }

  test::FakeTeam team_{2};
  long sum_ = 0;
  long next_ = 1;
};

TEST_F(DeferPlain, AsManyAsThievesAreToFind) {
  for (uint32_t made = 0; made < kWanted; made++) {
    ASSERT_TRUE(defer());
    EXPECT_EQ(current().children.load(relaxed), made + 1);
  }
  EXPECT_FALSE(defer());
  EXPECT_EQ(current().children.load(relaxed), kWanted);
  EXPECT_EQ(sum_, 0);
  execute_all();
  EXPECT_EQ(sum_, 1111) << "each with the data that it was made with";
  EXPECT_EQ(current().children.load(relaxed), 0u);
  EXPECT_EQ(current().references.load(relaxed), 1u);
  EXPECT_TRUE(tasks_quiescent(team_.team()));
}

TEST_F(DeferPlain, ItsDataAreConstructedByTheProgramsFunction) {
  struct Data {
    long* sum;
    long summand;
  } data{&sum_, 7};
  auto copy = [](void* to, void* from) {
    const auto* original = static_cast<Data*>(from);
    new (to) Data{original->sum, original->summand * 100};
  };
  Taskgroup group;
  current().group = &group;
  ASSERT_TRUE(defer_plain(thread(), add, &data, copy, sizeof data, kCacheLine, true));
  data.summand = 1;
  group.state.store(kCancelled, relaxed);
  execute_all();
  EXPECT_EQ(sum_, 700) << "cancelled or not: it destroys them";
  EXPECT_EQ(group.tasks.load(relaxed), 0u);
}

TEST_F(DeferPlain, CountsInItsTaskgroup) {
  Taskgroup group;
  current().group = &group;
  ASSERT_TRUE(defer());
  EXPECT_EQ(group.tasks.load(relaxed), 1u);
  execute_all();
  EXPECT_EQ(group.tasks.load(relaxed), 0u);
  group.state.store(kCancelled, relaxed);
  EXPECT_FALSE(defer());
}

TEST_F(DeferPlain, NotWhereSomethingElseHasASay) {
  EXPECT_FALSE(defer(4096)) << "large data";
  EXPECT_FALSE(defer(sizeof(long), 4096)) << "aligned data";
  current().final_task = true;
  EXPECT_FALSE(defer());
  current().final_task = false;
  team_.team().decided_by_mode = true;
  EXPECT_FALSE(defer());
  team_.team().decided_by_mode = false;
  team_.team().set_cancelled(true);
  EXPECT_FALSE(defer());
  team_.team().set_cancelled(false);
  member().tasks_made.store(kMemoryCheckInterval - 1, relaxed);
  EXPECT_FALSE(defer()) << "it is time to look at the memory that tasks take";
  member().tasks_made.store(0, relaxed);
  EXPECT_EQ(current().children.load(relaxed), 0u);
  EXPECT_TRUE(defer());
  execute_all();
}

}  // namespace
}  // namespace bobbin
