// SPDX-License-Identifier: Apache-2.0
#include "platform/clocks/clock_rate.h"

#include <gtest/gtest.h>

namespace bobbin {
namespace {

constexpr uint64_t kDay = 86'400 * uint64_t{1'000'000'000};  // in ns
constexpr uint64_t kFastest = 64;                            // ticks in a ns

ClockReading after(const ClockReading& from, uint64_t ns, uint64_t ticks_a_ns) {
  return {from.ticks + ns * ticks_a_ns, from.ns + ns};
}

TEST(ClockRate, AMinuteTellsTheRateOfAnyCounter) {
  const ClockReading from{uint64_t{1} << 63, 5 * kDay};
  const ClockReading to = after(from, kLongestMeasureNs, kFastest);
  ASSERT_TRUE(tells_rate(from, to));
  EXPECT_EQ(ticks_in(1000, from, to), 1000 * kFastest);
  EXPECT_EQ(ticks_in(1'000'000, from, to), 1'000'000 * kFastest);
}

TEST(ClockRate, DaysAreNotAskedForTheRate) {
  const ClockReading from{1000, 1000};
  EXPECT_FALSE(tells_rate(from, after(from, 80 * kDay, 3)));
  EXPECT_FALSE(tells_rate(from, after(from, 4 * kDay, kFastest)));
}

TEST(ClockRate, NorIsACounterThatHasBegunAnew) {
  const ClockReading from{uint64_t{1} << 50, 1000};
  EXPECT_FALSE(tells_rate(from, {5000, 2000}));
  EXPECT_FALSE(tells_rate(from, {from.ticks, 2000}));
}

}  // namespace
}  // namespace bobbin
