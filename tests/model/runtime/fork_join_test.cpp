// SPDX-License-Identifier: Apache-2.0
// Fork, claim, join: the real pool and team code under all interleavings within bounds.
#include <gtest/gtest.h>

#include "model/runtime/world.h"
#include "team/members/barrier.h"

namespace bobbin::model {
namespace {

// The body of a region: each member runs once, sees the writes before the region, and its writes
// are seen after the region.
struct Region {
  Team* team = nullptr;
  Var<int> before{0};
  Var<int> runs[World::kMaxTeam];
  int barriers = 0;
  Atomic<int> phase{0};

  static void run(void* data) {
    auto* region = static_cast<Region*>(data);
    Team& team = *region->team;
    unsigned num = bobbin::self().member->num;
    region->runs[num] = region->runs[num] + region->before;
    for (int i = 1; i <= region->barriers; ++i) {
      region->phase.fetch_add(1, relaxed);
      barrier_wait(bobbin::self());
      MODEL_CHECK(region->phase.load(relaxed) >= i * static_cast<int>(team.size));
      int other = static_cast<int>((num + 1) % team.size);
      MODEL_CHECK(region->runs[other] == region->before);
      if (i < region->barriers) barrier_wait(bobbin::self());
    }
  }
};

Result regions(Options options, unsigned helpers, unsigned size, int count, int barriers,
               Provider provider = Provider::Fiber) {
  return explore(options, [=] {
    auto* world = make<World>(provider);
    Thread& root = world->add_root();
    for (unsigned i = 0; i < helpers; ++i) world->start_helper();
    auto* region = make<Region>();
    region->barriers = barriers;
    for (int i = 1; i <= count; ++i) {
      region->phase.store(0, relaxed);
      run_region(root, size, i, *region);
    }
  });
}

TEST(ModelForkJoin, AloneOnTheMachine) {
  Result result = regions({.preemptions = 3, .stale_reads = 3}, 0, 3, 2, 1);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelForkJoin, OneHelper) {
  Result result = regions({.preemptions = 2, .stale_reads = 1}, 1, 2, 1, 0);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelForkJoin, OneHelperTwoRegions) {
  Result result = regions({.preemptions = 2, .stale_reads = 0}, 1, 2, 2, 0);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelForkJoin, OneHelperBarrier) {
  Result result = regions({.preemptions = 2, .stale_reads = 1}, 1, 2, 1, 1);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelForkJoin, OneHelperThreeThreadsBarrier) {
  Result result = regions({.preemptions = 1, .stale_reads = 1}, 1, 3, 1, 1);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelForkJoin, TwoHelpers) {
  Result result = regions({.preemptions = 1, .stale_reads = 1}, 2, 3, 1, 0);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelForkJoinKernel, TwoThreads) {
  Result result = regions({.preemptions = 2, .stale_reads = 0}, 0, 2, 2, 0, Provider::Kernel);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelForkJoinKernel, TwoThreadsBarrier) {
  Result result = regions({.preemptions = 2, .stale_reads = 1}, 0, 2, 1, 1, Provider::Kernel);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelForkJoinKernel, ThreeThreadsBarrier) {
  Result result = regions({.preemptions = 1, .stale_reads = 0}, 0, 3, 1, 1, Provider::Kernel);
  EXPECT_TRUE(result.passed()) << result;
}

// Here the root depends on the helper: at its scheduling point it continues only when the other
// thread has run. Publishing a ticket and announcing that a worker is idle is also a Dekker
// protocol.
TEST(ModelForkJoin, HelperSeesTheTicketOrIsCalled) {
  Result result = explore({.preemptions = 1, .stale_reads = 1}, [] {
    auto* world = make<World>(Provider::Fiber);
    Thread& root = world->add_root();
    world->start_helper();
    auto* begun = make<Atomic<int>>(0);
    auto function = [](void* data) { static_cast<Atomic<int>*>(data)->store(1, release); };
    Team* team = assemble(root, 2, Icvs{});
    fork(root, *team, function, begun);
    while (begun->load(acquire) == 0) bobbin::cpu_pause();
    join(root, *team);
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
