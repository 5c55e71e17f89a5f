// SPDX-License-Identifier: Apache-2.0
// Tasks with dependences that run at once on the thread that makes them.
#include "task/create/depend_at_once.h"

#include <gtest/gtest.h>

#include "../construct/fake_team.h"
#include "task/depend/dependences.h"
#include "task/depend/table.h"
#include "task/model/extras.h"
#include "task/run/execute.h"
#include "task/tuning/duration.h"
#include "team/model/task_hooks.h"

namespace bobbin {
namespace {

// Aligned, because functions within the same 16 bytes share an entry of the table of durations.
[[gnu::aligned(16)]] void brief_one(void*) {}
[[gnu::aligned(16)]] void short_one(void* data) { *static_cast<int*>(data) = 2; }
[[gnu::aligned(16)]] void long_one(void* data) { *static_cast<int*>(data) = 1; }

TEST(TaskDurations, KeepsTheMeanOfEachFunction) {
  TaskDurations durations;
  EXPECT_FALSE(durations.brief(brief_one)) << "never heard of";
  durations.add(brief_one, ticks_per_us() / 50);
  durations.add(long_one, ticks_per_us() * 50);
  EXPECT_TRUE(durations.brief(brief_one));
  EXPECT_FALSE(durations.brief(long_one));
  durations.add(brief_one, ticks_per_us() * 50);
  EXPECT_FALSE(durations.brief(brief_one)) << "one long one outweighs many brief ones";
  for (int i = 0; i < 100; i++) durations.add(brief_one, ticks_per_us() / 50);
  EXPECT_TRUE(durations.brief(brief_one));
}

TEST(TaskDurations, KnowsBriefOnesWhoseDataComeFromFar) {
  TaskDurations durations;
  auto every_fifth_at_home = [&](uint64_t at_home, uint64_t away) {
    for (int i = 0; i < 100; i++) {
      durations.add(brief_one, ns_to_ticks(i % 5 == 0 ? at_home : away));
    }
    for (int i = 0; i < 4; i++) durations.add(brief_one, ns_to_ticks(away));
  };
  every_fifth_at_home(40, 180);
  EXPECT_TRUE(durations.brief(brief_one));
  every_fifth_at_home(160, 300);
  EXPECT_FALSE(durations.brief(brief_one)) << "it never is";
  every_fifth_at_home(40, 1000);
  EXPECT_FALSE(durations.brief(brief_one)) << "others are really longer";
}

TEST(DeferralSample, FallsAtOnceAndRisesBitByBitUpToABound) {
  Member member;
  for (int i = 0; i < 100; i++) DeferralSample::add(member, ticks_per_us() * 50);
  uint64_t most = member.tuning.deferral_ticks;
  EXPECT_GT(most, ns_to_ticks(200));
  EXPECT_LT(most, ns_to_ticks(400)) << "interrupts do not make a task of a microsecond brief";
  DeferralSample::add(member, 0);
  uint64_t fallen = member.tuning.deferral_ticks;
  EXPECT_LE(fallen, most / 2 + 1);
  DeferralSample::add(member, most);
  EXPECT_GT(member.tuning.deferral_ticks, fallen);
  EXPECT_LT(member.tuning.deferral_ticks, most);
}

class AtOnce : public ::testing::Test {
 protected:
  AtOnce() {
    thread().worker = &worker_;
    for (int i = 0; i < 64; i++) {
      task_durations.add(brief_one, 1);
      task_durations.add(short_one, ns_to_ticks(200));
      task_durations.add(long_one, ticks_per_us() * 50);
    }
    before_.kind = TaskKind::Deferred;
    before_.function = long_one;
    before_.parent = thread().task;
    before_.extras = &extras_;
    extras_.team = &team_.team();
    thread().task->children.store(1, relaxed);
  }
  ~AtOnce() override { release_extras(*thread().task); }

  Thread& thread() { return team_.thread(0); }

  bool at_once(void (*function)(void*), uintptr_t address, DependKind kind) {
    Dependence dependence{address, kind};
    TaskSpec spec;
    spec.function = function;
    spec.depend = {&dependence, 1};
    return runs_at_once(thread(), spec);
  }

  // The address belongs to a task that has not completed.
  void occupy(uintptr_t address, DependKind kind) {
    Dependence dependence{address, kind};
    ASSERT_TRUE(register_dependences(thread(), before_, {&dependence, 1}));
  }
  void complete() {
    EXPECT_EQ(make_ready_but_last(thread(), release_successors(thread(), before_)), nullptr);
    thread().task->children.store(0, relaxed);
  }

  Worker worker_;
  test::FakeTeam team_{2};
  Task before_;
  TaskExtras extras_;
};

TEST_F(AtOnce, OnlyBriefOnes) {
  occupy(8, DependKind::Out);
  EXPECT_TRUE(at_once(brief_one, 16, DependKind::Out));
  EXPECT_FALSE(at_once(long_one, 16, DependKind::Out));
}

TEST_F(AtOnce, WhatTakesLessThanToDeferIt) {
  occupy(8, DependKind::Out);
  Member& member = *thread().member;
  EXPECT_FALSE(at_once(short_one, 16, DependKind::Out));
  member.tuning.deferral_ticks = ns_to_ticks(250);
  EXPECT_TRUE(at_once(short_one, 16, DependKind::Out));
  EXPECT_FALSE(at_once(long_one, 16, DependKind::Out));
  EXPECT_FALSE(at_once(short_one, 8, DependKind::Out));
}

// One short task that was deferred to measure the cost does not cause its successors to be
// deferred.
TEST_F(AtOnce, WhatFollowsADeferredShortOneIsSeenOff) {
  Dependence after{8, DependKind::In};
  extras_.construct = short_one;
  occupy(8, DependKind::Out);
  EXPECT_EQ(predecessors(thread(), {&after, 1}), Predecessors::Brief);
  EXPECT_EQ(make_ready_but_last(thread(), release_successors(thread(), before_)), nullptr);
  extras_.construct = long_one;
  occupy(8, DependKind::Out);
  EXPECT_EQ(predecessors(thread(), {&after, 1}), Predecessors::Some);
  complete();
}

// Nothing is deferred meanwhile, so there is no new measurement of the cost.
TEST_F(AtOnce, WhatDeferringTakesIsForgotten) {
  occupy(8, DependKind::Out);
  Member& member = *thread().member;
  member.tuning.deferral_ticks = ns_to_ticks(250);
  uint64_t tasks = 0;
  while (at_once(short_one, 16, DependKind::Out) && tasks < 100'000) tasks++;
  EXPECT_GT(tasks, 0u);
  EXPECT_LT(tasks, 100'000u);
  EXPECT_TRUE(at_once(brief_one, 16, DependKind::Out)) << "brief by any measure";
}

// A child that is examined and put back was in no queue meanwhile: a thread that looked then is
// woken.
TEST_F(AtOnce, WhatIsPutBackIsOfferedAgain) {
  extras_.construct = brief_one;
  occupy(8, DependKind::Out);
  Task child;
  child.function = long_one;
  child.parent = thread().task;
  ASSERT_TRUE(thread().member->tasks.push(&child));
  EXPECT_FALSE(at_once(brief_one, 8, DependKind::In));
  EXPECT_EQ(thread().member->tasks.deque().pop(), &child);
  EXPECT_TRUE(team_.team().tasks_offered.load(relaxed));
}

// A reader does not wait for other readers, however many have not completed.
TEST_F(AtOnce, BesideOthersThatRead) {
  occupy(8, DependKind::In);
  EXPECT_TRUE(at_once(brief_one, 8, DependKind::In));
  complete();
  EXPECT_TRUE(at_once(brief_one, 8, DependKind::In));
  EXPECT_TRUE(at_once(brief_one, 8, DependKind::Out));
}

TEST_F(AtOnce, NotBeforeItsPredecessors) {
  occupy(8, DependKind::In);
  EXPECT_TRUE(at_once(brief_one, 8, DependKind::In));
  EXPECT_FALSE(at_once(brief_one, 8, DependKind::Out));
  EXPECT_FALSE(at_once(brief_one, 8, DependKind::Inoutset));
  EXPECT_FALSE(at_once(brief_one, 0, DependKind::Out)) << "omp_all_memory";
  complete();
  EXPECT_TRUE(at_once(brief_one, 8, DependKind::Out));
}

TEST_F(AtOnce, NotBeforeATaskOnAllMemory) {
  occupy(0, DependKind::Out);
  EXPECT_FALSE(at_once(brief_one, 16, DependKind::In));
  complete();
  EXPECT_TRUE(at_once(brief_one, 16, DependKind::In));
}

// The examined entry is as good as new: successors are found, and exclusions work.
TEST_F(AtOnce, WhatHasCompletedIsForgotten) {
  occupy(8, DependKind::MutexInoutset);
  EXPECT_EQ(make_ready_but_last(thread(), release_successors(thread(), before_)), nullptr);
  EXPECT_TRUE(at_once(brief_one, 8, DependKind::MutexInoutset));
  before_.extras->node = nullptr;
  occupy(8, DependKind::MutexInoutset);
  EXPECT_FALSE(at_once(brief_one, 8, DependKind::In));
  EXPECT_FALSE(at_once(brief_one, 8, DependKind::MutexInoutset));
  EXPECT_EQ(make_ready_but_last(thread(), release_successors(thread(), before_)), nullptr);
  EXPECT_TRUE(at_once(brief_one, 8, DependKind::In));
}

}  // namespace
}  // namespace bobbin
