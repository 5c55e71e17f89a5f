// SPDX-License-Identifier: Apache-2.0
// Bound threads: the root and a helper are of different places of one processor each.
#include <gtest/gtest.h>

#include "env/icv.h"
#include "model/runtime/world.h"
#include "team/members/barrier.h"

namespace bobbin::model {
namespace {

struct Region {
  Team* team = nullptr;
  int barriers = 0;
  Var<int> before{0};
  Var<int> runs[World::kMaxTeam];

  static void run(void* data) {
    auto* region = static_cast<Region*>(data);
    Thread& thread = bobbin::self();
    const unsigned num = thread.member->num;
    region->runs[num] = region->runs[num] + region->before;
    for (int i = 0; i < region->barriers; ++i) {
      const int place = thread.place.load(relaxed);
      MODEL_CHECK(place < 0 || place == thread.worker->place);
      barrier_wait(bobbin::self());
    }
    const int place = thread.place.load(relaxed);
    MODEL_CHECK(place < 0 || place == thread.worker->place);
  }
};

enum class Helper { Serves, Ends, None };

// How many executions ended with the last thread in a place where it was not to be.
int taken_by_others = 0;

Result regions(Options options, Helper helper, unsigned size, int count, int barriers,
               bool soft = false) {
  detail::global_icvs_storage.soft_binding = soft;
  return explore(options, [=] {
    auto* world = make<World>(Provider::Bound);
    Thread& root = world->add_root();
    if (helper != Helper::None) world->start_helper();
    if (helper == Helper::Ends) spawn([] { pause_pool(); });
    auto* region = make<Region>();
    region->barriers = barriers;
    for (int i = 1; i <= count; ++i) {
      const Team& team = run_region(root, size, i, *region);
      // The thread of the helper's place ran there, unless no helper could be had.
      const bool at_home = team.members[size - 1]->thread->place.load(relaxed) < 0;
      if (helper == Helper::Serves) MODEL_CHECK(!at_home);
      if (helper == Helper::None) MODEL_CHECK(at_home);
      const bool is_taken = team.members[size - 1]->thread->place.load(relaxed) == 0;
      MODEL_CHECK(soft || !is_taken);
      taken_by_others += is_taken ? 1 : 0;
    }
  });
}

TEST(ModelBound, OneThreadAPlace) {
  Result result = regions({.preemptions = 2, .stale_reads = 1}, Helper::Serves, 2, 1, 0);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelBound, TwoRegions) {
  Result result = regions({.preemptions = 2, .stale_reads = 0}, Helper::Serves, 2, 2, 0);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelBound, Barrier) {
  Result result = regions({.preemptions = 2, .stale_reads = 1}, Helper::Serves, 2, 1, 1);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelBound, ThreadsOfOnePlaceTakeTurns) {
  Result result = regions({.preemptions = 1, .stale_reads = 1}, Helper::Serves, 4, 1, 1);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelBound, TheHelperEndsMeanwhile) {
  Result result = regions({.preemptions = 2, .stale_reads = 0}, Helper::Ends, 2, 1, 0);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelBound, NoHelperCanBeHad) {
  Result result = regions({.preemptions = 2, .stale_reads = 1}, Helper::None, 3, 1, 1);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelBound, ANearPlaceTakesThreadsThatNobodyHasBegun) {
  taken_by_others = 0;
  Result result = regions({.preemptions = 2, .stale_reads = 1}, Helper::Serves, 2, 1, 1, true);
  EXPECT_TRUE(result.passed()) << result;
  EXPECT_GT(taken_by_others, 0);
}

TEST(ModelBound, ANearPlaceTakesAllOfAPlace) {
  taken_by_others = 0;
  Result result = regions({.preemptions = 1, .stale_reads = 1}, Helper::Serves, 4, 2, 0, true);
  EXPECT_TRUE(result.passed()) << result;
  EXPECT_GT(taken_by_others, 0);
}

TEST(ModelBound, AHelperEndsWhileANearPlaceTakes) {
  Result result = regions({.preemptions = 2, .stale_reads = 0}, Helper::Ends, 2, 1, 0, true);
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
