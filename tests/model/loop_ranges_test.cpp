// SPDX-License-Identifier: Apache-2.0
// Ranges of chunks that threads steal from each other: each chunk is taken once, none is left.
#include "construct/loop_ranges.cpp"

#include <gtest/gtest.h>

#include "model/explore.h"

namespace bobbin::model {
namespace {

constexpr unsigned kMostChunks = 8;

struct State {
  Team team;
  WorkShare share;
  Var<int> taken[kMostChunks];
  Var<int> behind_last{0};
};

void take_all(State* s, unsigned num) {
  Member& member = *s->team.members[num];
  bool had_last = false;
  for (;;) {
    uint64_t chunk;
    if (!take_own_chunk(member.ranges.of[0], chunk) &&
        !steal_chunk(s->share, member, s->team, 0, chunk)) {
      return;
    }
    s->taken[chunk] = s->taken[chunk] + 1;
    MODEL_CHECK(!had_last);
    had_last = chunk == s->share.plan.chunks - 1;
  }
}

Result loop(Options options, unsigned threads, unsigned chunks) {
  return explore(options, [=] {
    auto* s = make<State>();
    s->team.size = threads;
    s->team.members = static_cast<Member**>(allocate(threads * sizeof(Member*)));
    for (unsigned num = 0; num < threads; num++) {
      s->team.members[num] = make<Member>();
      s->team.members[num]->num = num;
    }
    s->share.plan.chunks = chunks;
    deal_ranges(s->team, 0, chunks);
    for (unsigned num = 0; num < threads; num++) spawn([=] { take_all(s, num); });
    join_all();
    for (unsigned chunk = 0; chunk < chunks; chunk++) MODEL_CHECK(s->taken[chunk] == 1);
  });
}

TEST(ModelRanges, TwoThreadsTakeEachChunkOnce) {
  Result result = loop({.preemptions = 3, .stale_reads = 1}, 2, 5);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelRanges, ThreeThreadsTakeEachChunkOnce) {
  Result result = loop({.preemptions = 1, .stale_reads = 1}, 3, 5);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelRanges, MoreThreadsThanChunks) {
  Result result = loop({.preemptions = 2, .stale_reads = 1}, 3, 2);
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
