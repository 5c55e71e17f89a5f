// SPDX-License-Identifier: Apache-2.0
// A check of the order among many tasks takes a few steps. If it passed all of them, these tests
// would take hours.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "../construct/fake_team.h"
#include "task/depend/dependences.h"
#include "task/depend/table.h"
#include "task/model/extras.h"
#include "task/run/execute.h"
#include "task/tuning/duration.h"
#include "task/wait/depend_wait.h"
#include "team/model/task_hooks.h"

namespace bobbin {
namespace {

constexpr size_t kMany = 1'000'000;
constexpr auto kIn = DependKind::In;
constexpr auto kOut = DependKind::Out;
constexpr auto kMutex = DependKind::MutexInoutset;

// Apart: see depend_at_once_test.cpp. Nothing is ever learnt of the first one, so it does not count
// as brief.
[[gnu::aligned(16)]] void some_function(void*) {}
[[gnu::aligned(16)]] void brief_one(void* data) { *static_cast<int*>(data) = 1; }

class DependMany : public ::testing::Test {
 protected:
  DependMany() : many_(std::make_unique<Made[]>(kMany)) {
    thread().task->children.store(1, relaxed);  // otherwise the order would count as empty
  }
  ~DependMany() override { release_extras(*thread().task); }

  Thread& thread() { return team_.thread(0); }

  struct Made {
    Task task;
    TaskExtras extras;
  };

  bool add(Made& made, const std::vector<Dependence>& items,
           TaskFunction construct = some_function) {
    made.task.kind = TaskKind::Deferred;
    made.task.parent = thread().task;
    made.task.depth = 1;
    made.task.extras = &made.extras;
    made.extras.team = &team_.team();
    made.extras.construct = construct;
    return register_dependences(thread(), made.task, {items.data(), items.size()});
  }
  void complete(Made& made) {
    EXPECT_EQ(make_ready_but_last(thread(), release_successors(thread(), made.task)), nullptr);
  }
  void complete_many() {
    for (size_t i = 0; i < kMany; i++) complete(many_[i]);
  }

  Predecessors look(uintptr_t address, DependKind kind) {
    Dependence dependence{address, kind};
    return predecessors(thread(), {&dependence, 1});
  }
  void wait(uintptr_t address, DependKind kind) {
    Dependence dependence{address, kind};
    wait_for_dependences(thread(), {&dependence, 1});
  }

  test::FakeTeam team_{1};
  std::unique_ptr<Made[]> many_;
};

TEST_F(DependMany, WhoJoinsThemLooksAtOne) {
  for (size_t i = 0; i < kMany; i++) {
    ASSERT_EQ(look(8, kMutex), i == 0 ? Predecessors::None : Predecessors::Some);
    ASSERT_TRUE(add(many_[i], {{8, kMutex}}));
  }
  complete_many();
}

TEST_F(DependMany, WhoJoinsBriefOnesLearnsOfALongOneAmongThem) {
  for (int i = 0; i < 64; i++) task_durations.add(brief_one, 1);
  for (size_t i = 0; i < kMany; i++) {
    ASSERT_TRUE(add(many_[i], {{8, kMutex}}, i == 0 ? some_function : brief_one));
    ASSERT_EQ(look(8, kMutex), Predecessors::Some);
  }
  complete(many_[0]);
  ASSERT_EQ(look(8, kMutex), Predecessors::Some);
  for (size_t i = 1; i < kMany; i++) complete(many_[i]);
  ASSERT_EQ(look(8, kMutex), Predecessors::None);
  Made next;
  ASSERT_TRUE(add(next, {{8, kMutex}}, brief_one));
  EXPECT_EQ(look(8, kMutex), Predecessors::Brief);
  complete(next);
}

// Completed ones may come first, and may be examined again.
TEST_F(DependMany, WhoFollowsThemLooksAtOne) {
  for (size_t i = 0; i < kMany; i++) ASSERT_TRUE(add(many_[i], {{8, kIn}}));
  for (size_t i = kMany; i-- > 0;) {
    ASSERT_EQ(look(8, kOut), Predecessors::Some);
    complete(many_[i]);
  }
  EXPECT_EQ(look(8, kOut), Predecessors::None);
}

TEST_F(DependMany, WhoWaitsLooksOnceAtWhatHasCompleted) {
  for (size_t i = 0; i < kMany; i++) ASSERT_TRUE(add(many_[i], {{8, kIn}}));
  complete_many();
  for (size_t i = 0; i < kMany; i++) wait(8, kOut);
}

TEST_F(DependMany, WhoWaitsForAllMemoryLooksOnceAtWhatHasCompleted) {
  for (size_t i = 0; i < kMany; i++) ASSERT_TRUE(add(many_[i], {{8 * (i + 1), kOut}}));
  complete_many();
  for (size_t i = 0; i < kMany; i++) wait(0, kOut);
  EXPECT_TRUE(add(many_[0], {{8, kOut}}));
  EXPECT_EQ(look(8, kIn), Predecessors::Some);
  complete(many_[0]);
}

TEST_F(DependMany, WhoHasNoChildrenLooksAtNothing) {
  ASSERT_TRUE(add(many_[0], {{8, kOut}}));
  thread().task->children.store(0, relaxed);
  wait(8, kOut);  // otherwise for ever: no thread completes it
  complete(many_[0]);
}

TEST_F(DependMany, OneThatExcludesOthersManyTimes) {
  std::vector<Dependence> items;
  for (size_t i = 0; i < kMany; i++) items.push_back({8 * (i + 1), kMutex});
  ASSERT_TRUE(add(many_[0], items));
  EXPECT_GE(team_.team().bulk_units.load(), kMany / 32);
  ASSERT_TRUE(add(many_[1], {{8 * kMany, kMutex}}));
  EXPECT_TRUE(acquire_exclusion(many_[0].task));
  EXPECT_FALSE(acquire_exclusion(many_[1].task));
  const ReadyTasks ready = release_successors(thread(), many_[0].task);
  EXPECT_EQ(make_ready_but_last(thread(), ready), &many_[1].task);
  EXPECT_EQ(team_.team().bulk_units.load(), 0u);
  EXPECT_TRUE(acquire_exclusion(many_[1].task));
  complete(many_[1]);
}

}  // namespace
}  // namespace bobbin
