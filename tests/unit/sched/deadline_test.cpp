// SPDX-License-Identifier: Apache-2.0
#include "sched/forecasts/deadline.h"

#include <gtest/gtest.h>

namespace bobbin {
namespace {

constexpr uint64_t kUptime = uint64_t{1} << 50;

TEST(Deadline, IsAheadUntilThen) {
  Deadline deadline;
  EXPECT_FALSE(deadline.ahead(kUptime));
  deadline.set(kUptime, 100);
  EXPECT_TRUE(deadline.ahead(kUptime));
  EXPECT_TRUE(deadline.ahead(kUptime + 99));
  EXPECT_FALSE(deadline.ahead(kUptime + 100));
  EXPECT_FALSE(deadline.ahead(kUptime + 101));
  deadline.set(kUptime, 100);
  deadline.clear();
  EXPECT_FALSE(deadline.ahead(kUptime));
}

TEST(Deadline, IsOverWhenTheCounterBeginsAnew) {
  Deadline deadline;
  deadline.set(kUptime, 100);
  EXPECT_FALSE(deadline.ahead(1));
  deadline.extend(1, 10);
  EXPECT_TRUE(deadline.ahead(1));
  EXPECT_FALSE(deadline.ahead(11));
}

TEST(Deadline, LastsNoLongerThanTheLongest) {
  Deadline deadline;
  deadline.set(kUptime, ~uint64_t{0} >> 1);
  EXPECT_TRUE(deadline.ahead(kUptime + kLongestDeadline - 1));
  EXPECT_FALSE(deadline.ahead(kUptime + kLongestDeadline));
}

TEST(Deadline, IsExtendedAndNotShortened) {
  Deadline deadline;
  deadline.extend(kUptime, 100);
  deadline.extend(kUptime + 1, 10);
  EXPECT_TRUE(deadline.ahead(kUptime + 99));
  deadline.extend(kUptime + 1, 200);
  EXPECT_TRUE(deadline.ahead(kUptime + 200));
}

TEST(Deadline, IsRenewedOnceWhenOver) {
  Deadline deadline;
  EXPECT_TRUE(deadline.renew(kUptime, 100));
  EXPECT_FALSE(deadline.renew(kUptime + 99, 100));
  EXPECT_TRUE(deadline.renew(kUptime + 100, 100));
  EXPECT_TRUE(deadline.renew(1, 100));
}

}  // namespace
}  // namespace bobbin
