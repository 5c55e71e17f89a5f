// SPDX-License-Identifier: Apache-2.0
#include "abi/kmp/loops/static_bounds.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace bobbin::kmp {
namespace {

struct Schedule {
  int32_t kind;
  int chunk;
  bool cyclic;
};

// Adds as programs do: it wraps around at the type's end, without undefined behaviour.
template <class T>
T moved(T bound, std::make_signed_t<T> stride) {
  return static_cast<T>(static_cast<uint64_t>(bound) + static_cast<uint64_t>(stride));
}

// Executes the loop as compilers write it, in the loop variable's type, and counts which thread
// executes which iteration.
template <class T>
void check_loop(T lower, T upper, std::make_signed_t<T> step, unsigned size,
                const Schedule& schedule) {
  std::vector<int64_t> wanted;
  for (int64_t i = lower; step > 0 ? i <= int64_t{upper} : i >= int64_t{upper}; i += step) {
    wanted.push_back(i);
  }
  std::vector<int> executed(wanted.size(), 0);
  unsigned last_claims = 0;
  for (unsigned num = 0; num < size; num++) {
    StaticLoop<T> loop{lower, upper, 0, false};
    divide<T>(loop, schedule.kind, step, static_cast<std::make_signed_t<T>>(schedule.chunk), size,
              num);
    bool executes_last = false;
    T from = loop.lower;
    T to = loop.upper;
    while (step > 0 ? from <= upper : from >= upper) {
      T end = step > 0 ? std::min(to, upper) : std::max(to, upper);
      for (int64_t i = from; step > 0 ? i <= int64_t{end} : i >= int64_t{end}; i += step) {
        auto index = static_cast<size_t>((i - lower) / step);
        ASSERT_EQ(wanted.at(index), i);
        executed[index]++;
        if (index + 1 == wanted.size()) executes_last = true;
      }
      if (!schedule.cyclic) break;
      from = moved(from, loop.stride);
      to = moved(to, loop.stride);
    }
    if (loop.last) last_claims++;
    EXPECT_EQ(loop.last, executes_last) << "thread " << num << " of " << size;
  }
  EXPECT_EQ(last_claims, wanted.empty() ? 0u : 1u);
  for (int count : executed) EXPECT_EQ(count, 1);
}

// A thread with several chunks may step out of the type's range from its last chunk.
template <class T>
bool ends_within_type(T lower, T upper, std::make_signed_t<T> step, unsigned size,
                      const Schedule& schedule) {
  if (!schedule.cyclic) return true;
  int64_t stride = int64_t{step} * schedule.chunk * size;
  int64_t beyond = int64_t{upper} + stride;
  bool only = step > 0 ? int64_t{lower} + stride > upper : int64_t{lower} + stride < upper;
  return only || static_cast<T>(beyond) == beyond;
}

template <class T>
void check_bounds(T lower, T upper, std::make_signed_t<T> step) {
  constexpr Schedule kSchedules[] = {{kStatic, 1, false},
                                     {kStaticChunked, 1, true},
                                     {kStaticChunked, 3, true},
                                     {kStaticChunked, 100, true},
                                     {kStaticBalancedChunked, 4, false},
                                     {kDistributeStatic, 1, false},
                                     {kDistributeStaticChunked, 2, true}};
  for (const Schedule& schedule : kSchedules) {
    for (unsigned size : {1u, 2u, 3u, 7u, 33u}) {
      if (!ends_within_type<T>(lower, upper, step, size, schedule)) continue;
      SCOPED_TRACE(testing::Message() << int64_t{lower} << " to " << int64_t{upper} << " by "
                                      << int64_t{step} << ", schedule " << schedule.kind << ", "
                                      << schedule.chunk << ", " << size << " threads");
      check_loop<T>(lower, upper, step, size, schedule);
    }
  }
}

TEST(StaticBounds, EveryIterationIsOneThreads) {
  for (int count : {0, 1, 2, 6, 7, 8, 100}) {
    check_bounds<int32_t>(0, count - 1, 1);
    check_bounds<int32_t>(-5, -5 + 3 * (count - 1), 3);
    check_bounds<int32_t>(10, 10 - 2 * (count - 1), -2);
    check_bounds<uint32_t>(7, static_cast<uint32_t>(7 + count - 1), 1);
    check_bounds<int64_t>(-50, -50 + count - 1, 1);
  }
}

// The bounds of a thread without iterations, or beyond the last one, must not wrap around.
TEST(StaticBounds, LoopsUpToTheLimitsOfTheType) {
  constexpr int kMost = std::numeric_limits<int32_t>::max();
  constexpr int kLeast = std::numeric_limits<int32_t>::min();
  check_bounds<int32_t>(kMost - 20, kMost - 1, 1);
  check_bounds<int32_t>(kMost - 20, kMost - 2, 7);
  check_bounds<int32_t>(kLeast + 20, kLeast + 1, -1);
  check_bounds<uint32_t>(0, 9, 1);
  check_bounds<uint32_t>(~0u - 10, ~0u - 1, 1);
}

TEST(StaticBounds, HugeLoops) {
  StaticLoop<int64_t> loop{std::numeric_limits<int64_t>::min(),
                           std::numeric_limits<int64_t>::max() - 1, 0, false};
  divide<int64_t>(loop, kStatic, 1, 0, 3, 2);
  EXPECT_EQ(loop.upper, std::numeric_limits<int64_t>::max() - 1);
  EXPECT_TRUE(loop.last);
  StaticLoop<uint64_t> wide{0, ~uint64_t{1}, 0, false};
  divide<uint64_t>(wide, kStaticChunked, 1, int64_t{1} << 62, 4, 3);
  EXPECT_EQ(wide.lower, uint64_t{3} << 62);
  EXPECT_EQ(wide.upper, ~uint64_t{1});
}

// Executes the chunks of a loop from 0 as compilers do, except their iterations. A thread that
// continued beyond the loop would execute some iterations a second time.
template <class T>
void check_chunks(T upper, std::make_signed_t<T> chunk, unsigned size) {
  SCOPED_TRACE(testing::Message() << "to " << upper << " by chunks of " << chunk << ", " << size
                                  << " threads");
  uint64_t executed = 0;
  for (unsigned num = 0; num < size; num++) {
    StaticLoop<T> loop{0, upper, 0, false};
    divide<T>(loop, kStaticChunked, 1, chunk, size, num);
    T to = loop.upper;
    for (T from = loop.lower; from <= upper; from = moved(from, loop.stride)) {
      T end = std::min(to, upper);
      ASSERT_GE(from, T{0});
      ASSERT_GE(end, from);
      executed += static_cast<uint64_t>(end) - static_cast<uint64_t>(from) + 1;
      ASSERT_LE(executed, static_cast<uint64_t>(upper) + 1);
      to = moved(to, loop.stride);
    }
  }
  EXPECT_EQ(executed, static_cast<uint64_t>(upper) + 1);
}

// There are so many threads that one chunk for each exceeds the type's range. No thread has two
// chunks.
template <class T>
void check_large_chunks() {
  using Signed = std::make_signed_t<T>;
  constexpr T kMost = std::numeric_limits<T>::max();
  constexpr Signed kMostChunk = std::numeric_limits<Signed>::max();
  for (T upper : {static_cast<T>(kMost / 2), static_cast<T>(kMost / 2 + 1), T{kMost - 1}}) {
    for (unsigned size : {4u, 7u, 16u, 64u, 1000u}) {
      check_chunks<T>(upper, static_cast<Signed>(upper / 2), size);
      check_chunks<T>(upper, static_cast<Signed>(upper / 3), size);
      check_chunks<T>(upper, kMostChunk, size);
    }
  }
  for (unsigned size : {16u, 64u, 256u}) {
    check_chunks<T>(kMost / 8, static_cast<Signed>(kMost / 32 + 1), size);
  }
}

TEST(StaticBounds, ChunksWhoseStrideTheTypeCannotHold) {
  check_large_chunks<int32_t>();
  check_large_chunks<int64_t>();
  check_large_chunks<uint32_t>();
  check_large_chunks<uint64_t>();
}

template <class T>
void check_none_counted_from_zero() {
  for (int32_t kind : {kStatic, kStaticChunked, kStaticBalancedChunked, kDistributeStatic}) {
    for (unsigned num = 0; num < 3; num++) {
      StaticLoop<T> loop{0, std::numeric_limits<T>::max(), 0, false};
      divide<T>(loop, kind, 1, 2, 3, num);
      EXPECT_GT(loop.lower, loop.upper);                             // as clang sees it
      EXPECT_EQ(static_cast<T>(loop.upper - loop.lower + 1), T{0});  // as flang does
      EXPECT_FALSE(loop.last);
    }
  }
}

TEST(StaticBounds, NoIterationsCountedFromZero) {
  check_none_counted_from_zero<uint32_t>();
  check_none_counted_from_zero<uint64_t>();
}

TEST(StaticBounds, ModifiersAndNoMergeChangeNothing) {
  EXPECT_EQ(without_modifiers(kStaticChunked | kMonotonic), kStaticChunked);
  EXPECT_EQ(without_modifiers(kDynamicChunked | kNonmonotonic), kDynamicChunked);
  EXPECT_EQ(without_modifiers(kNoMergeStaticChunked), kStaticChunked);
  EXPECT_EQ(without_modifiers(kOrderedStaticChunked), kOrderedStaticChunked);
  EXPECT_EQ(without_modifiers(kOrderedStaticChunked + 128), kOrderedStaticChunked);
  EXPECT_EQ(without_modifiers(kDistributeStatic), kDistributeStatic);
}

}  // namespace
}  // namespace bobbin::kmp
