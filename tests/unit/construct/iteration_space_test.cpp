// SPDX-License-Identifier: Apache-2.0
#include "construct/worksharing/iteration_space.h"

#include <gtest/gtest.h>

#include <climits>
#include <vector>

#include "construct/worksharing/loop_static.h"

namespace bobbin {
namespace {

using Wide = __int128;

template <class T>
uint64_t count_widely(Wide begin, Wide end, Wide step) {
  Wide distance = step > 0 ? end - begin : begin - end;
  Wide size = step > 0 ? step : -step;
  return distance <= 0 ? 0 : static_cast<uint64_t>((distance + size - 1) / size);
}

const std::vector<long> kLongEdges = {LONG_MIN, LONG_MIN + 1, LONG_MIN + 7, -100,    -1, 0, 1,
                                      99,       LONG_MAX - 8, LONG_MAX - 1, LONG_MAX};
const std::vector<long> kLongSteps = {1, 2, 3, 7, LONG_MAX - 1, LONG_MAX};
const std::vector<unsigned long long> kUllEdges = {
    0, 1, 9, 1000, 1ULL << 63, (1ULL << 63) + 5, ULLONG_MAX - 4, ULLONG_MAX - 1, ULLONG_MAX};
const std::vector<unsigned long long> kUllSteps = {1, 2, 3, 10, 1ULL << 62, ULLONG_MAX};

TEST(LoopBounds, CountsLongIterationsUpToTheLimits) {
  for (long begin : kLongEdges) {
    for (long end : kLongEdges) {
      for (long step : kLongSteps) {
        EXPECT_EQ(LoopBounds::of(begin, end, step).count(), count_widely<long>(begin, end, step))
            << begin << ".." << end << " by " << step;
        EXPECT_EQ(LoopBounds::of(begin, end, -step).count(),
                  count_widely<long>(begin, end, -Wide{step}))
            << begin << ".." << end << " by -" << step;
      }
    }
  }
}

TEST(LoopBounds, TakesTheSmallestStep) {
  EXPECT_EQ(LoopBounds::of(0L, LONG_MIN, LONG_MIN).count(), 1u);
  EXPECT_EQ(LoopBounds::of(LONG_MAX, LONG_MIN, LONG_MIN).count(), 2u);
}

TEST(LoopBounds, CountsUnsignedIterationsUpToTheLimits) {
  for (auto begin : kUllEdges) {
    for (auto end : kUllEdges) {
      for (auto step : kUllSteps) {
        EXPECT_EQ(LoopBounds::of(true, begin, end, step).count(),
                  count_widely<unsigned long long>(begin, end, step))
            << begin << ".." << end << " by " << step;
        EXPECT_EQ(LoopBounds::of(false, begin, end, 0 - step).count(),
                  count_widely<unsigned long long>(begin, end, -Wide{step}))
            << begin << ".." << end << " by -" << step;
      }
    }
  }
}

TEST(LoopBounds, OfALoopThatTheProgramHandsOutItself) {
  EXPECT_EQ(LoopBounds::of(0L, 0L, 0L).count(), 0u);
  EXPECT_EQ(LoopBounds::of(true, 0, 0, 0).count(), 0u);
}

TEST(ProgramEnd, IsTheLoopsOwnForTheLastIteration) {
  LoopPlan plan;
  plan.begin = static_cast<uint64_t>(LONG_MAX) - 9;
  plan.end = LONG_MAX;
  plan.step = 4;  // iterations at -9, -5, -1: the next one does not exist
  plan.count = 3;
  EXPECT_EQ(program_begin(plan, 2), static_cast<uint64_t>(LONG_MAX) - 1);
  EXPECT_EQ(program_end(plan, 2), static_cast<uint64_t>(LONG_MAX) - 1);
  EXPECT_EQ(program_end(plan, 3), static_cast<uint64_t>(LONG_MAX));
}

TEST(ChunksIn, RoundsUpWithoutOverflow) {
  EXPECT_EQ(chunks_in(0, 5), 0u);
  EXPECT_EQ(chunks_in(10, 5), 2u);
  EXPECT_EQ(chunks_in(11, 5), 3u);
  EXPECT_EQ(chunks_in(UINT64_MAX, 1), UINT64_MAX);
  EXPECT_EQ(chunks_in(UINT64_MAX, 2), uint64_t{1} << 63);
  EXPECT_EQ(chunks_in(UINT64_MAX, UINT64_MAX), 1u);
}

TEST(Block, CoversEverythingOnceAndKnowsItsOwners) {
  for (uint64_t count : {0u, 1u, 2u, 7u, 16u, 100u, 129u, 1000u}) {
    for (unsigned size : {1u, 2u, 3u, 16u, 129u}) {
      uint64_t next = 0;
      for (unsigned num = 0; num < size; num++) {
        IterationRange part = block_of(count, size, num);
        EXPECT_EQ(part.first, next);
        EXPECT_LE(part.last - part.first, count / size + 1);
        for (uint64_t i = part.first; i < part.last; i++) {
          EXPECT_EQ(block_owner(count, size, i), num);
        }
        next = part.last;
      }
      EXPECT_EQ(next, count);
    }
  }
}

TEST(Block, OfTheLargestLoop) {
  IterationRange last = block_of(UINT64_MAX, 7, 6);
  EXPECT_EQ(last.last, UINT64_MAX);
  EXPECT_EQ(block_owner(UINT64_MAX, 7, UINT64_MAX - 1), 6u);
  EXPECT_EQ(block_of(UINT64_MAX, 7, 5).last, last.first);
}

}  // namespace
}  // namespace bobbin
