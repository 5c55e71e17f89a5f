// SPDX-License-Identifier: Apache-2.0
// How many tasks a thread that makes many of them keeps for thieves.
#include "task/tuning/defer_limit.h"

#include <gtest/gtest.h>

#include "../construct/fake_team.h"
#include "task/create/create.h"
#include "team/task_hooks.h"

namespace bobbin {
namespace {

// Lasts as long as the process, and with it the memory that its pool keeps.
Worker& lasting_worker() {
  static auto* worker = new Worker;
  return *worker;
}

void hold_up(uint64_t ns) {
  for (const uint64_t begin = ticks(); ticks() - begin < ns_to_ticks(ns);) cpu_pause();
}

// Nobody steals.
class Appetite : public ::testing::Test {
 protected:
  Appetite() {
    thread().worker = &lasting_worker();
    member().kept = member().defer_below = kFirstDeferLimit;
    member().brief_ones_left = kBriefOnesWatched;
    count_in_place = 0;
    making = true;
  }
  ~Appetite() override {
    making = false;
    while (run_a_task(thread())) {
    }
  }

  Thread& thread() { return team_.thread(0); }
  Member& member() { return *thread().member; }

  void make(unsigned tasks, void (*function)(void*)) {
    TaskSpec spec;
    spec.function = function;
    for (unsigned i = 0; i < tasks; i++) create_task(thread(), spec);
  }

  static void brief(void* /*data*/) {
    if (making) count_in_place++;
  }
  static void long_one(void* data) {
    if (making) hold_up(100'000);
    brief(data);
  }

  static inline unsigned count_in_place = 0;
  static inline bool making = false;
  test::FakeTeam team_{2};
};

TEST_F(Appetite, MoreThanIsKeptAfterALongTask) {
  make(kFirstDeferLimit, long_one);
  EXPECT_EQ(count_in_place, 0u);
  make(1, long_one);
  EXPECT_EQ(count_in_place, 1u);
  // A twentieth of 100 us, at 100 ns each.
  make(50, brief);
  EXPECT_EQ(count_in_place, 1u);
}

TEST_F(Appetite, AsMuchAsTheTimeInPlaceHasPaidFor) {
  make(kFirstDeferLimit + 1, long_one);
  // However long it was held up.
  constexpr uint64_t kPaidFor = 40;
  ASSERT_GE(member().earned, kPaidFor * ns_to_ticks(kVainNs));
  member().earned = kPaidFor * ns_to_ticks(kVainNs);
  const uint64_t paid_for = member().earned / ns_to_ticks(kVainNs);
  make(static_cast<unsigned>(paid_for), brief);
  EXPECT_EQ(count_in_place, 1u);
  make(1, brief);
  EXPECT_EQ(count_in_place, 2u);
}

TEST_F(Appetite, NeverWithoutBound) {
  detail::global_icvs_storage.task_memory = uint64_t{1} << 30;
  make(kFirstDeferLimit + 1, long_one);
  member().earned = ns_to_ticks(uint64_t{1} << 30);
  make(kMostByWatch + 10, brief);
  EXPECT_EQ(member().tasks.size(), kMostByWatch);
}

TEST_F(Appetite, NothingForBriefOnes) {
  make(kFirstDeferLimit, brief);
  ASSERT_TRUE(watched(member()));
  for (unsigned i = 0; i < kBriefOnesWatched; i++) {
    ASSERT_GT(member().brief_ones_left, 0u);
    earn(member(), ns_to_ticks(50));
  }
  end_watch(member());
  begin_watch(member());
  EXPECT_FALSE(watched(member())) << "and they are not looked at any more";
  earn(member(), ns_to_ticks(1'000'000));
  begin_watch(member());
  EXPECT_TRUE(watched(member()));
}

TEST_F(Appetite, AnotherTaskIsNotItsMaker) {
  make(kFirstDeferLimit + 1, long_one);
  ASSERT_TRUE(watched(member()));
  Task inner(*thread().task, false, true);
  thread().task = &inner;
  make(1, brief);
  EXPECT_EQ(count_in_place, 2u) << "it has made none before";
  EXPECT_FALSE(watched(member()));
  thread().task = inner.parent;
}

}  // namespace
}  // namespace bobbin
