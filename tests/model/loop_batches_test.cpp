// SPDX-License-Identifier: Apache-2.0
// Batches that threads draw from one counter: each chunk is taken once, none is left, and no thread
// gets a chunk that comes before one that it had.
#include "construct/worksharing/loop_batches.h"

#include <gtest/gtest.h>

#include "model/explore.h"

namespace bobbin::model {
namespace {

constexpr unsigned kMostChunks = 8;

struct State {
  Atomic<uint64_t> next{0};
  Var<int> taken[kMostChunks];
};

// Batches of 1, 2, 3 ... chunks, the first of `size`.
void take_all(State* s, uint64_t size, uint64_t chunks) {
  ChunkBatch batch;
  uint64_t before = 0;
  for (; draw_chunks(batch, s->next, chunks, size); size++) {
    MODEL_CHECK(batch.left >= 1 && batch.left <= size && batch.end <= chunks);
    MODEL_CHECK(batch.end - batch.left >= before);
    for (; batch.left > 0; batch.left--) {
      uint64_t chunk = batch.end - batch.left;
      s->taken[chunk] = s->taken[chunk] + 1;
    }
    before = batch.end;
  }
  MODEL_CHECK(!draw_chunks(batch, s->next, chunks, size));
}

Result loop(Options options, unsigned threads, unsigned chunks) {
  return explore(options, [=] {
    auto* s = make<State>();
    for (unsigned num = 0; num < threads; num++) spawn([=] { take_all(s, num + 1, chunks); });
    join_all();
    for (unsigned chunk = 0; chunk < chunks; chunk++) MODEL_CHECK(s->taken[chunk] == 1);
  });
}

TEST(ModelBatches, TwoThreadsTakeEachChunkOnce) {
  Result result = loop({.preemptions = 4, .stale_reads = 1}, 2, 8);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelBatches, ThreeThreadsTakeEachChunkOnce) {
  Result result = loop({.preemptions = 3, .stale_reads = 1}, 3, 8);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelBatches, MoreThreadsThanChunks) {
  Result result = loop({.preemptions = 3, .stale_reads = 1}, 3, 2);
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
