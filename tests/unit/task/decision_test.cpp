// SPDX-License-Identifier: Apache-2.0
// The quick tests of the entry points agree with decide(), in every state that they look at.
#include "task/create/decision.h"

#include <gtest/gtest.h>

#include "../construct/fake_team.h"

namespace bobbin {
namespace {

void nothing(void* /*data*/) {}

class DecisionTest : public ::testing::TestWithParam<unsigned> {
 protected:
  DecisionTest() {
    thread().worker = &worker_;
    thread().stack_limit = nullptr;
  }

  Thread& thread() { return team_.thread(0); }
  Team& team() { return team_.team(); }
  Member& member() { return *thread().member; }

  // A bit each: cancelled, final, empty deque limit, all deferred, taskgroup state, in a taskgroup.
  void put_into(unsigned state) {
    thread().withdraw_permits();
    team().set_cancelled((state & 1) != 0);
    thread().task->final_task = (state & 2) != 0;
    member().defer_limit = (state & 4) != 0 ? 0 : kLowestDeferLimit;
    if ((state & 8) != 0) member().defer_limit = kDeferAll;
    group_.state.store((state & 16) != 0 ? kCancelled : 0, relaxed);
    thread().task->group = (state & 32) != 0 ? &group_ : nullptr;
  }
  static constexpr unsigned kStates = 64;

  Decision decide_plain(bool deferrable = true) {
    TaskSpec spec;
    spec.function = nothing;
    spec.deferrable = deferrable;
    return decide(thread(), spec);
  }

  Worker worker_;
  Taskgroup group_;
  test::FakeTeam team_{2};
};

TEST_F(DecisionTest, QuickTestsAgreeWithDecide) {
  unsigned in_place = 0;
  unsigned undeferred = 0;
  unsigned deferred = 0;
  for (unsigned state = 0; state < kStates; state++) {
    put_into(state);
    if (surely_in_place(thread())) {
      in_place++;
      EXPECT_EQ(decide_plain(), Decision::InPlace) << state;
    }
    put_into(state);
    if (surely_undeferred(thread())) {
      undeferred++;
      EXPECT_EQ(decide_plain(false), Decision::InPlace) << state;
    }
    put_into(state);
    if (surely_in_place_watched(thread())) {
      EXPECT_EQ(decide_plain(), Decision::InPlace) << state;
    }
    put_into(state);
    if (surely_deferred(thread())) {
      deferred++;
      EXPECT_EQ(decide_plain(), Decision::Defer) << state;
    }
  }
  // None of them says no in every state.
  EXPECT_GT(in_place, 0u);
  EXPECT_GT(undeferred, 0u);
  EXPECT_GT(deferred, 0u);
}

TEST_F(DecisionTest, TheLimitRisesWithATheftAndFallsWithATaskTakenBack) {
  member().defer_limit = kFirstDeferLimit;
  ASSERT_TRUE(member().tasks.push(&member().implicit));
  learn_from_thieves(thread());
  EXPECT_EQ(member().defer_limit, kFirstDeferLimit);
  ASSERT_NE(member().tasks.deque().steal_one([](const Task*) { return true; }), nullptr);
  learn_from_thieves(thread());
  EXPECT_EQ(member().defer_limit, kFirstDeferLimit + kMoreAfterSteal);
  learn_from_vain(thread());
  EXPECT_EQ(member().defer_limit, kFirstDeferLimit + kMoreAfterSteal - 1);
}

// As where tasks may block. The thread does not look at each task whether it may.
TEST_F(DecisionTest, AThreadThatDefersAllLearnsNoLimit) {
  member().defers_all = true;
  member().defer_limit = kDeferAll;
  ASSERT_TRUE(member().tasks.push(&member().implicit));
  ASSERT_NE(member().tasks.deque().steal_one([](const Task*) { return true; }), nullptr);
  learn_from_thieves(thread());
  learn_from_vain(thread());
  while (member().tasks.size() < 2 * kHighestDeferLimit) {
    ASSERT_TRUE(member().tasks.push(&member().implicit));
  }
  EXPECT_FALSE(surely_in_place_watched(thread()));
  EXPECT_EQ(decide_plain(), Decision::Defer);
}

TEST_F(DecisionTest, WhatIsCancelledIsDiscarded) {
  put_into(1);
  EXPECT_EQ(decide_plain(), Decision::Discard);
  EXPECT_EQ(decide_plain(false), Decision::Discard);
  put_into(16 | 32);
  EXPECT_EQ(decide_plain(), Decision::Discard);
}

TEST_F(DecisionTest, ADetachableTaskIsDeferredWhereNobodyElseIs) {
  test::FakeTeam alone(1);
  Thread& one = alone.thread(0);
  one.worker = &worker_;
  TaskSpec spec;
  void* handle = nullptr;
  EXPECT_EQ(decide(one, spec), Decision::InPlace);
  spec.event_handle = &handle;
  EXPECT_EQ(decide(one, spec), Decision::Defer);
}

TEST_F(DecisionTest, APriorityIsForAllThreadsToSee) {
  put_into(4);
  TaskSpec spec;
  EXPECT_EQ(decide(thread(), spec), Decision::InPlace);
  spec.priority = 1;
  EXPECT_EQ(decide(thread(), spec), Decision::Defer);
}

}  // namespace
}  // namespace bobbin
