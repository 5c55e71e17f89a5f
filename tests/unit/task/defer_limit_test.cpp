// SPDX-License-Identifier: Apache-2.0
// The number of tasks that a thread which makes many of them keeps for thieves.
#include "task/tuning/defer_limit.h"

#include <gtest/gtest.h>

#include "../construct/fake_team.h"
#include "task/create/create.h"
#include "team/model/task_hooks.h"

namespace bobbin {
namespace {

// It lives as long as the process, and so does the memory that its pool keeps.
Worker& lasting_worker() {
  static auto* worker = new Worker;
  return *worker;
}

void hold_up(uint64_t ns) {
  for (const uint64_t begin = ticks(); ticks() - begin < ns_to_ticks(ns);) cpu_pause();
}

// There are no thieves.
class DeferLimit : public ::testing::Test {
 protected:
  DeferLimit() {
    thread().worker = &lasting_worker();
    member().tuning.defer_limit = member().defer_below = kFirstDeferLimit;
    member().tuning.timed_left = kBriefOnesTimed;
    count_in_place = 0;
    making = true;
  }
  ~DeferLimit() override {
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

TEST_F(DeferLimit, MoreThanIsKeptAfterALongTask) {
  make(kFirstDeferLimit, long_one);
  EXPECT_EQ(count_in_place, 0u);
  make(1, long_one);
  EXPECT_EQ(count_in_place, 1u);
  // A twentieth of 100 us, at 100 ns each.
  make(50, brief);
  EXPECT_EQ(count_in_place, 1u);
}

TEST_F(DeferLimit, AsMuchAsTheTimeInPlaceHasPaidFor) {
  make(kFirstDeferLimit + 1, long_one);
  // However long it was delayed.
  constexpr uint64_t kPaidFor = 40;
  ASSERT_GE(member().tuning.earned, kPaidFor * ns_to_ticks(kVainNs));
  member().tuning.earned = kPaidFor * ns_to_ticks(kVainNs);
  const uint64_t paid_for = member().tuning.earned / ns_to_ticks(kVainNs);
  make(static_cast<unsigned>(paid_for), brief);
  EXPECT_EQ(count_in_place, 1u);
  make(1, brief);
  EXPECT_EQ(count_in_place, 2u);
}

TEST_F(DeferLimit, NeverWithoutBound) {
  detail::global_icvs_storage.task_memory = uint64_t{1} << 30;
  make(kFirstDeferLimit + 1, long_one);
  member().tuning.earned = ns_to_ticks(uint64_t{1} << 30);
  make(kMostByTiming + 10, brief);
  EXPECT_EQ(member().tasks.size(), kMostByTiming);
}

TEST_F(DeferLimit, NothingForBriefOnes) {
  make(kFirstDeferLimit, brief);
  ASSERT_TRUE(times_tasks(member()));
  for (unsigned i = 0; i < kBriefOnesTimed; i++) {
    ASSERT_GT(member().tuning.timed_left, 0u);
    earn(member().tuning, ns_to_ticks(50));
  }
  end_timing(member());
  begin_timing(member());
  EXPECT_FALSE(times_tasks(member())) << "and they are not timed any more";
  earn(member().tuning, ns_to_ticks(1'000'000));
  begin_timing(member());
  EXPECT_TRUE(times_tasks(member()));
}

TEST_F(DeferLimit, AnotherTaskIsNotItsMaker) {
  make(kFirstDeferLimit + 1, long_one);
  ASSERT_TRUE(times_tasks(member()));
  Task inner(*thread().task, false, true);
  thread().task = &inner;
  make(1, brief);
  EXPECT_EQ(count_in_place, 2u) << "it has made none before";
  EXPECT_FALSE(times_tasks(member()));
  thread().task = inner.parent;
}

}  // namespace
}  // namespace bobbin
