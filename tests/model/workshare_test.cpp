// SPDX-License-Identifier: Apache-2.0
// A team's threads meet in worksharing regions, in the ring and ahead of it; ordered hand-over.
#include "construct/workshare.cpp"

#include <gtest/gtest.h>

#include <initializer_list>

#include "construct/worksharing/ordered.cpp"
#include "model/bare_threads.h"

namespace bobbin {

void fatal(const char*, ...) { std::abort(); }

namespace model {
namespace {

constexpr int kMostRegions = 4;

struct State {
  Team team;
  Var<int> place{0};             // the contents of the record in the ring, lap after lap
  Var<int> extra[kMostRegions];  // the contents of an extra record for the region
  Var<int> set_up[kMostRegions];

  Var<int>& content(const WorkShare& share, int region) {
    const WorkShare* ring = team.work_shares.ring;
    return &share >= ring && &share < ring + kWorkShares ? place : extra[region];
  }
};

// A thread passes through regions that all use the same place in the ring.
void go_through(State* s, int regions) {
  for (int region = 0; region < regions; region++) {
    uint64_t number = static_cast<uint64_t>(region) * kWorkShares;
    ShareTurn turn(s->team, number);
    if (turn.enter()) {
      s->content(turn.share(), region) = region + 1;
      s->set_up[region] = s->set_up[region] + 1;
      turn.open();
    }
    MODEL_CHECK(s->content(turn.share(), region) == region + 1);
    ShareTurn(s->team, number, turn.share()).leave();
  }
}

Result regions(Options options, int threads, int count) {
  return explore(options, [=] {
    make_threads(threads);
    auto* s = make<State>();
    s->team.size = static_cast<unsigned>(threads);
    for (int i = 0; i < threads; i++) spawn([=] { go_through(s, count); });
    join_all();
    for (int region = 0; region < count; region++) MODEL_CHECK(s->set_up[region] == 1);
    for (const auto& extras : s->team.work_shares.extras) MODEL_CHECK(extras.empty());
    MODEL_CHECK(s->team.work_shares.ring[0].left.load(relaxed) == 0);
  });
}

TEST(ModelWorkShare, OneSetsUpAndAllSeeIt) {
  Result result = regions({.preemptions = 1, .stale_reads = 1}, 3, 1);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelWorkShare, ARecordComesBackWhenAllHaveLeft) {
  Result result = regions({.preemptions = 2, .stale_reads = 1}, 2, 2);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelWorkShare, ThreadsRunAhead) {
  Result result = regions({.preemptions = 2, .stale_reads = 0}, 2, 4);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelWorkShare, ThreeThreadsRunAhead) {
  Result result = regions({.preemptions = 1, .stale_reads = 0}, 3, 3);
  EXPECT_TRUE(result.passed()) << result;
}

// Three chunks, in the order of their iterations. One of two threads has the first and the last
// chunk.
TEST(ModelOrdered, TurnsAreHandedOver) {
  Result result = explore({.preemptions = 3, .stale_reads = 1}, [] {
    make_threads(2);
    auto* s = make<State>();
    WorkShare& share = s->team.work_shares.ring[0];
    share.plan.ordered = true;
    auto chunks = [=, &share](int thread, std::initializer_list<uint64_t> mine) {
      auto* member = make<Member>();
      member->team = &s->team;
      bare_threads[thread]->member = member;
      member->position.current = &share;
      for (uint64_t chunk : mine) {
        end_ordered_chunk(*bare_threads[thread], share);
        member->position.first = chunk;
        member->position.last = chunk + 1;
        member->position.ordered_parts = 0;
        enter_ordered(*bare_threads[thread]);
        MODEL_CHECK(s->place == static_cast<int>(chunk));
        s->place = static_cast<int>(chunk) + 1;
        leave_ordered(*bare_threads[thread]);
      }
    };
    spawn([=] { chunks(0, {0, 2}); });
    spawn([=] { chunks(1, {1}); });
    join_all();
    MODEL_CHECK(s->place == 3);
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace model
}  // namespace bobbin
