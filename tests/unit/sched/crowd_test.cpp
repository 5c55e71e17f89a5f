// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sched/spin.h"

namespace bobbin {
namespace {

// The state belongs to the process, so every test uses a time after the times of the others.
uint64_t us(uint64_t count) { return count * ticks_per_us(); }

TEST(Spin, NobodyDoesWhereNobodyIsTo) {
  spin_limits.set(0, 0);
  EXPECT_EQ(brief_spin(64), 0);
  spin_limits.set(0, 1);
  EXPECT_EQ(brief_spin(64), 64);
}

TEST(Crowd, AnInterruptMakesNone) {
  Crowd::observe_gap(us(50), us(1));
  EXPECT_FALSE(Crowd::crowded(us(1)));
}

TEST(Crowd, LastsByWhatWasTaken) {
  const uint64_t now = us(1'000'000);
  Crowd::observe_gap(us(200), now);
  EXPECT_TRUE(Crowd::crowded(now + us(200 * Crowd::kTimesTaken) - 1));
  EXPECT_FALSE(Crowd::crowded(now + us(200 * Crowd::kTimesTaken)));
}

TEST(Crowd, HasAnEnd) {
  const uint64_t now = us(2'000'000);
  Crowd::observe_gap(us(1'000'000), now);
  EXPECT_TRUE(Crowd::crowded(now + us(Crowd::kLongestUs) - 1));
  EXPECT_FALSE(Crowd::crowded(now + us(Crowd::kLongestUs)));
}

TEST(Crowd, ALittleMoreTakenDoesNotEndItEarly) {
  const uint64_t now = us(3'000'000);
  Crowd::observe_gap(us(2000), now);
  Crowd::observe_gap(us(150), now + 1);
  EXPECT_TRUE(Crowd::crowded(now + us(2000 * Crowd::kTimesTaken) - 1));
}

// This is the last test, because of the state that it leaves.
TEST(Crowd, IsForgottenWhenTheCounterBeginsAnew) {
  constexpr uint64_t kHour = 3'600'000'000;
  Crowd::observe_gap(us(2000), us(100 * kHour));
  EXPECT_FALSE(Crowd::crowded(us(1)));
  Crowd::observe_gap(us(2000), us(1));
  EXPECT_TRUE(Crowd::crowded(us(1)));
  EXPECT_FALSE(Crowd::crowded(us(kHour)));
}

}  // namespace
}  // namespace bobbin
