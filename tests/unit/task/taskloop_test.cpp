// SPDX-License-Identifier: Apache-2.0
#include "task/create/taskloop.h"

#include <gtest/gtest.h>

namespace bobbin {
namespace {

constexpr uint64_t kHuge = ~uint64_t{0};

// Chunks follow each other, are not empty, and cover all iterations.
void expect_whole(const LoopDivision& division, uint64_t iterations) {
  ASSERT_GE(division.tasks, 1u);
  EXPECT_EQ(division.iterations, iterations);
  EXPECT_EQ(division.begin_of(0), 0u);
  EXPECT_EQ(division.begin_of(division.tasks), iterations);
  uint64_t looked_at = division.tasks < 5000 ? division.tasks : 5000;
  for (uint64_t i = 0; i < looked_at; i++) {
    EXPECT_LT(division.begin_of(i), division.begin_of(i + 1));
  }
  EXPECT_LT(division.begin_of(division.tasks - 1), iterations);
}

TEST(LoopDivision, GrainsizeIsTheLeast) {
  for (uint64_t iterations = 1; iterations < 80; iterations++) {
    for (uint64_t grain = 1; grain < 90; grain++) {
      LoopDivision division = divide_by_grainsize(iterations, grain, false);
      expect_whole(division, iterations);
      for (uint64_t i = 0; i < division.tasks; i++) {
        uint64_t length = division.begin_of(i + 1) - division.begin_of(i);
        EXPECT_TRUE(length >= grain || iterations < grain);
        EXPECT_LT(length, 2 * grain);
      }
    }
  }
}

TEST(LoopDivision, StrictGrainsizeIsExactButForTheLast) {
  for (uint64_t iterations = 1; iterations < 80; iterations++) {
    for (uint64_t grain = 1; grain < 90; grain++) {
      LoopDivision division = divide_by_grainsize(iterations, grain, true);
      expect_whole(division, iterations);
      for (uint64_t i = 0; i + 1 < division.tasks; i++) {
        EXPECT_EQ(division.begin_of(i + 1) - division.begin_of(i), grain);
      }
    }
  }
}

TEST(LoopDivision, NumberOfTasks) {
  for (uint64_t iterations = 1; iterations < 80; iterations++) {
    for (uint64_t tasks = 1; tasks < 90; tasks++) {
      LoopDivision division = divide_by_tasks(iterations, tasks);
      expect_whole(division, iterations);
      EXPECT_EQ(division.tasks, tasks < iterations ? tasks : iterations);
      uint64_t least = iterations / division.tasks;
      for (uint64_t i = 0; i < division.tasks; i++) {
        uint64_t length = division.begin_of(i + 1) - division.begin_of(i);
        EXPECT_TRUE(length == least || length == least + 1);
      }
    }
  }
}

TEST(LoopDivision, HugeLoops) {
  expect_whole(divide_by_grainsize(kHuge, 1, true), kHuge);
  expect_whole(divide_by_grainsize(kHuge, kHuge - 1, true), kHuge);
  expect_whole(divide_by_grainsize(kHuge, kHuge, false), kHuge);
  expect_whole(divide_by_grainsize(kHuge, 1000, false), kHuge);
  expect_whole(divide_by_tasks(kHuge, 7), kHuge);
  expect_whole(divide_by_tasks(kHuge, kHuge), kHuge);
}

TEST(LoopDivision, WithoutClauses) {
  EXPECT_EQ(divide_for_team(1000, 1).tasks, 1u);
  EXPECT_GE(divide_for_team(1000, 4).tasks, 4u);
  EXPECT_EQ(divide_for_team(3, 4).tasks, 3u);
  EXPECT_EQ(divide_by_grainsize(10, 0, false).tasks, 10u);
  EXPECT_EQ(divide_by_tasks(10, 0).tasks, 1u);
}

}  // namespace
}  // namespace bobbin
