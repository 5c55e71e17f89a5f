// SPDX-License-Identifier: Apache-2.0
// Every schedule gives every iteration to exactly one thread, in whatever order the threads arrive.
#include "construct/worksharing/loop.h"

#include <gtest/gtest.h>

#include <atomic>
#include <climits>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "fake_team.h"

namespace bobbin {
namespace {

using test::FakeTeam;

struct Case {
  const char* name;
  LoopSchedule schedule;
};

const std::vector<Case> kSchedules = {
    {"static", {ScheduleKind::Static, 0}},     {"static,1", {ScheduleKind::Static, 1}},
    {"static,3", {ScheduleKind::Static, 3}},   {"dynamic", {ScheduleKind::Dynamic, 0}},
    {"dynamic,4", {ScheduleKind::Dynamic, 4}}, {"dynamic,5", {ScheduleKind::Dynamic, 5}},
    {"guided", {ScheduleKind::Guided, 0}},     {"guided,6", {ScheduleKind::Guided, 6}},
    {"auto", {ScheduleKind::Auto, 0}},
};

void enter_all(FakeTeam& team, const LoopBounds& bounds, const LoopSchedule& schedule) {
  for (unsigned num = 0; num < team.size(); num++) {
    enter_loop(team.thread(num), bounds, schedule, LoopOrder::None, {});
  }
}

void leave_all(FakeTeam& team) {
  for (unsigned num = 0; num < team.size(); num++) leave_share(team.thread(num));
}

// Calls visit(thread number, start, end) until no thread gets any more. The next thread is random.
template <class Visit>
void run_loop(FakeTeam& team, uint32_t seed, Visit&& visit) {
  std::mt19937 random(seed);
  std::vector<unsigned> active;
  for (unsigned num = 0; num < team.size(); num++) active.push_back(num);
  while (!active.empty()) {
    size_t at = random() % active.size();
    uint64_t start;
    uint64_t end;
    if (loop_next(team.thread(active[at]), start, end)) {
      visit(active[at], start, end);
    } else {
      active.erase(active.begin() + static_cast<long>(at));
    }
  }
}

// A chunk's iterations as a program sees them. The end is not found by comparing a loop variable
// that is stepped past it, because for the last chunk that may be impossible in its type.
template <class T, class Body>
void run_chunk(uint64_t start, uint64_t end, T step, bool up, Body&& body) {
  auto size = static_cast<uint64_t>(step);
  uint64_t count = up ? (end - start - 1) / size + 1 : (start - end - 1) / (0 - size) + 1;
  for (uint64_t k = 0; k < count; k++) body(static_cast<T>(start + k * size));
}

template <class T>
void expect_partition(FakeTeam& team, const Case& test, const LoopBounds& bounds, T step,
                      const std::vector<T>& expected) {
  enter_all(team, bounds, test.schedule);
  std::map<T, int> seen;
  run_loop(team, 7, [&](unsigned, uint64_t start, uint64_t end) {
    run_chunk<T>(start, end, step, bounds.up, [&](T i) { seen[i]++; });
  });
  leave_all(team);
  std::map<T, int> once;
  for (T i : expected) once[i] = 1;
  EXPECT_EQ(seen, once) << test.name << ", " << team.size() << " threads";
}

class Loop : public testing::TestWithParam<Case> {};

TEST_P(Loop, RunsEachIterationOnce) {
  for (unsigned size : {1u, 2u, 3u, 8u, 33u}) {
    FakeTeam team(size);
    for (long count : {0, 1, 2, 7, 32, 100, 1000}) {
      for (long step : {1L, 3L, -1L, -4L}) {
        long begin = 11;
        long end = begin + count * step - (step > 1 && count > 0 ? 1 : 0);
        std::vector<long> expected;
        for (long i = begin; step > 0 ? i < end : i > end; i += step) expected.push_back(i);
        expect_partition<long>(team, GetParam(), LoopBounds::of(begin, end, step), step, expected);
      }
    }
  }
}

TEST_P(Loop, RunsUpToTheLimitsOfLong) {
  for (unsigned size : {1u, 2u, 5u}) {
    FakeTeam team(size);
    for (long step : {1L, 2L, 3L, 5L, 100L}) {
      std::vector<long> up;
      std::vector<long> down;
      for (long i = 0; i < 40; i += step) {
        up.push_back(LONG_MAX - 40 + i);
        down.push_back(LONG_MIN + 40 - i);
      }
      expect_partition<long>(team, GetParam(), LoopBounds::of(LONG_MAX - 40, LONG_MAX, step), step,
                             up);
      expect_partition<long>(team, GetParam(), LoopBounds::of(LONG_MIN + 40, LONG_MIN, -step),
                             -step, down);
    }
    const long huge = LONG_MAX / 2 + 1;
    expect_partition<long>(team, GetParam(), LoopBounds::of(LONG_MIN, LONG_MAX, huge), huge,
                           {LONG_MIN, LONG_MIN + huge, 0, huge});
  }
}

TEST_P(Loop, RunsUpToTheLimitsOfUnsigned) {
  using Ull = unsigned long long;
  for (unsigned size : {1u, 2u, 5u}) {
    FakeTeam team(size);
    for (Ull step : {1ULL, 2ULL, 3ULL, 5ULL, 100ULL}) {
      std::vector<Ull> up;
      std::vector<Ull> down;
      for (Ull i = 0; i < 40; i += step) {
        up.push_back(ULLONG_MAX - 40 + i);
        down.push_back(40 - i);
      }
      expect_partition<Ull>(team, GetParam(),
                            LoopBounds::of(true, ULLONG_MAX - 40, ULLONG_MAX, step), step, up);
      expect_partition<Ull>(team, GetParam(), LoopBounds::of(false, 40, 0, 0 - step), 0 - step,
                            down);
    }
  }
}

TEST_P(Loop, GivesNoThreadMoreThanAChunk) {
  FakeTeam team(4);
  const LoopSchedule& schedule = GetParam().schedule;
  if (schedule.kind == ScheduleKind::Guided) return;
  enter_all(team, LoopBounds::of(0L, 1003L, 1L), schedule);
  uint64_t most = schedule.chunk;
  if (most == 0) most = schedule.kind == ScheduleKind::Dynamic ? 1 : 251;
  run_loop(team, 3, [&](unsigned, uint64_t start, uint64_t end) { EXPECT_LE(end - start, most); });
  leave_all(team);
}

TEST_P(Loop, AscendsInEachThread) {
  FakeTeam team(5);
  enter_all(team, LoopBounds::of(0L, 500L, 1L), GetParam().schedule);
  std::vector<uint64_t> before(team.size(), 0);
  run_loop(team, 5, [&](unsigned num, uint64_t start, uint64_t end) {
    EXPECT_GE(start, before[num]);
    before[num] = end;
  });
  leave_all(team);
}

TEST_P(Loop, GoesRoundTheRingOfRecords) {
  FakeTeam team(3);
  for (int region = 0; region < 3 * static_cast<int>(kWorkShares) + 1; region++) {
    std::vector<long> expected;
    for (long i = 0; i < region; i++) expected.push_back(i);
    expect_partition<long>(team, GetParam(), LoopBounds::of(0L, region, 1L), 1, expected);
  }
}

TEST_P(Loop, WithoutWaitLetsAThreadRunAhead) {
  FakeTeam team(2);
  int total = 0;
  for (unsigned num : {0u, 1u}) {
    for (unsigned region = 0; region < kWorkShares; region++) {
      enter_loop(team.thread(num), LoopBounds::of(0L, 50L, 1L), GetParam().schedule,
                 LoopOrder::None, {});
      uint64_t start;
      uint64_t end;
      while (loop_next(team.thread(num), start, end)) total += static_cast<int>(end - start);
      leave_share(team.thread(num));
    }
  }
  EXPECT_EQ(total, 50 * static_cast<int>(kWorkShares));
}

TEST_P(Loop, SharesOutAmongRealThreads) {
  constexpr unsigned kThreads = 4;
  constexpr long kCount = 20000;
  FakeTeam team(kThreads);
  std::vector<std::atomic<int>> seen(kCount);
  for (int round = 0; round < 5; round++) {
    for (auto& count : seen) count = 0;
    enter_all(team, LoopBounds::of(0L, kCount, 1L), GetParam().schedule);
    std::vector<std::thread> threads;
    for (unsigned num = 0; num < kThreads; num++) {
      threads.emplace_back([&, num] {
        uint64_t start;
        uint64_t end;
        while (loop_next(team.thread(num), start, end)) {
          for (uint64_t i = start; i < end; i++) seen[i]++;
        }
      });
    }
    for (auto& thread : threads) thread.join();
    leave_all(team);
    for (long i = 0; i < kCount; i++) ASSERT_EQ(seen[static_cast<size_t>(i)], 1) << i;
  }
}

TEST_P(Loop, WithoutWaitLetsAThreadRunFarAhead) {
  constexpr int kRegions = 5 * kWorkShares;
  FakeTeam team(3);
  int total = 0;
  auto run_all = [&](unsigned num, int regions) {
    for (int region = 0; region < regions; region++) {
      enter_loop(team.thread(num), LoopBounds::of(0L, 40L, 1L), GetParam().schedule,
                 LoopOrder::None, {});
      uint64_t start;
      uint64_t end;
      while (loop_next(team.thread(num), start, end)) total += static_cast<int>(end - start);
      leave_share(team.thread(num));
    }
  };
  run_all(0, kRegions);
  run_all(1, 3 * kWorkShares + 2);
  run_all(2, kWorkShares + 5);
  run_all(1, kRegions - 3 * kWorkShares - 2);
  run_all(2, kRegions - kWorkShares - 5);
  for (const auto& extras : team.team().work_shares.extras) EXPECT_TRUE(extras.empty());
  for (int lap = 0; lap < 20; lap++) {
    for (unsigned num : {2u, 0u, 1u}) run_all(num, 3);
  }
  EXPECT_EQ(total, 40 * (kRegions + 60));
}

std::string test_name(const testing::TestParamInfo<Case>& test) {
  std::string name = test.param.name;
  for (char& c : name) {
    if (!isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Schedules, Loop, testing::ValuesIn(kSchedules), test_name);

TEST(Plan, HandsHugeLoopsOutInChunksThatFit) {
  LoopBounds bounds = LoopBounds::of(LONG_MIN, LONG_MAX, 1L);
  FakeTeam team(3);
  for (const LoopSchedule& schedule : {LoopSchedule{ScheduleKind::Dynamic, uint64_t{1} << 62},
                                       LoopSchedule{ScheduleKind::Dynamic, uint64_t{1} << 50},
                                       LoopSchedule{ScheduleKind::Static, uint64_t{1} << 61},
                                       LoopSchedule{ScheduleKind::Static, 0},
                                       LoopSchedule{ScheduleKind::Guided, uint64_t{1} << 55}}) {
    enter_all(team, bounds, schedule);
    uint64_t total = 0;
    run_loop(team, 11, [&](unsigned, uint64_t start, uint64_t end) {
      EXPECT_LT(static_cast<long>(start), static_cast<long>(end));
      total += end - start;
    });
    leave_all(team);
    EXPECT_EQ(total, UINT64_MAX);
  }
}

TEST(Plan, OfIterationsThatWaitForEachOtherHasNoBatches) {
  LoopBounds bounds = LoopBounds::of(0L, 1000L, 1L);
  LoopSchedule schedule{ScheduleKind::Dynamic, 1};
  EXPECT_EQ(make_plan(bounds, schedule, LoopOrder::None, 4).handout, Handout::Batches);
  EXPECT_EQ(make_plan(bounds, schedule, LoopOrder::Ordered, 4).handout, Handout::Counter);
  EXPECT_EQ(make_plan(bounds, schedule, LoopOrder::Doacross, 4).handout, Handout::Counter);
}

TEST(Plan, OfMoreChunksThanDrawsMayPassHasNoBatches) {
  LoopBounds bounds = LoopBounds::of(LONG_MIN, LONG_MAX, 1L);
  LoopSchedule schedule{ScheduleKind::Dynamic, 1};
  EXPECT_EQ(make_plan(bounds, schedule, LoopOrder::None, 4).handout, Handout::Counter);
  schedule.chunk = 4;
  EXPECT_EQ(make_plan(bounds, schedule, LoopOrder::None, 4).handout, Handout::Batches);
}

TEST(Plan, HasNoBatchesWhereTheUserWantsNone) {
  LoopBounds bounds = LoopBounds::of(0L, 1000L, 1L);
  LoopSchedule schedule{ScheduleKind::Dynamic, 1};
  const DynamicOrder saved = global_icvs().dynamic_order;
  detail::global_icvs_storage.dynamic_order = DynamicOrder::Ascending;
  EXPECT_EQ(make_plan(bounds, schedule, LoopOrder::None, 4).handout, Handout::Counter);
  detail::global_icvs_storage.dynamic_order = saved;
}

TEST(Plan, OfOneThreadIsOneChunk) {
  FakeTeam team(1);
  for (const Case& test : kSchedules) {
    enter_all(team, LoopBounds::of(0L, 100L, 1L), test.schedule);
    int chunks = 0;
    run_loop(team, 1, [&](unsigned, uint64_t, uint64_t) { chunks++; });
    leave_all(team);
    EXPECT_EQ(chunks, 1) << test.name;
  }
}

TEST(Guided, ShrinksDownToTheChunkSize) {
  FakeTeam team(4);
  enter_all(team, LoopBounds::of(0L, 10000L, 1L), {ScheduleKind::Guided, 8});
  uint64_t before = UINT64_MAX;
  uint64_t total = 0;
  run_loop(team, 2, [&](unsigned, uint64_t start, uint64_t end) {
    EXPECT_EQ(start, total);
    EXPECT_LE(end - start, before);
    EXPECT_TRUE(end == 10000 || end - start >= 8);
    before = end - start;
    total = end;
  });
  leave_all(team);
  EXPECT_EQ(total, 10000u);
}

// GCC's code for lastprivate relies on this.
TEST(Batches, WhoHasTheLastIterationGetsNothingAfterIt) {
  for (unsigned size : {2u, 3u, 8u}) {
    for (uint32_t seed = 0; seed < 50; seed++) {
      FakeTeam team(size);
      enter_all(team, LoopBounds::of(0L, 300L, 1L), {ScheduleKind::Dynamic, 1});
      int owner = -1;
      run_loop(team, seed, [&](unsigned num, uint64_t, uint64_t end) {
        EXPECT_NE(static_cast<int>(num), owner);
        if (end == 300) owner = static_cast<int>(num);
      });
      EXPECT_GE(owner, 0);
      leave_all(team);
    }
  }
}

TEST(Batches, AThreadAloneTakesEverything) {
  FakeTeam team(8);
  enter_all(team, LoopBounds::of(0L, 1000L, 1L), {ScheduleKind::Dynamic, 1});
  uint64_t start;
  uint64_t end;
  int got = 0;
  while (loop_next(team.thread(5), start, end)) got++;
  EXPECT_EQ(got, 1000);
  for (unsigned num = 0; num < 8; num++) EXPECT_FALSE(loop_next(team.thread(num), start, end));
  leave_all(team);
}

TEST(Batches, AreDrawnInAscendingOrder) {
  FakeTeam team(4);
  enter_all(team, LoopBounds::of(0L, 4000L, 1L), {ScheduleKind::Dynamic, 1});
  uint64_t drawn = 0;  // by all threads
  run_loop(team, 7, [&](unsigned num, uint64_t, uint64_t end) {
    const ChunkBatch& batch = team.thread(num).member->position.batch;
    EXPECT_EQ(end + batch.left, batch.end);
    if (batch.end <= drawn) return;
    EXPECT_EQ(end - 1, drawn);
    EXPECT_LE(batch.end - drawn, kMostInBatch);
    drawn = batch.end;
  });
  leave_all(team);
  EXPECT_EQ(drawn, 4000u);
}

TEST(Batches, OfAFewChunksAreSingleOnes) {
  FakeTeam team(4);
  enter_all(team, LoopBounds::of(0L, 31L, 1L), {ScheduleKind::Dynamic, 1});
  uint64_t next = 0;
  run_loop(team, 7, [&](unsigned, uint64_t start, uint64_t) { EXPECT_EQ(start, next++); });
  leave_all(team);
  EXPECT_EQ(next, 31u);
}

TEST(Batches, GrowWhereTheDrawIsMostOfTheTime) {
  constexpr uint64_t kDraw = 49;
  constexpr uint64_t kEnough = 50 * kWorthADraw;
  EXPECT_EQ(better_batch_size(1, kEnough - 1, kDraw), 2u);
  EXPECT_EQ(better_batch_size(8, kEnough, kDraw), 8u);
  EXPECT_EQ(better_batch_size(8, 2 * kEnough, kDraw), 8u);
  EXPECT_EQ(better_batch_size(8, 3 * kEnough, kDraw), 4u);
  EXPECT_EQ(better_batch_size(kMostInBatch, 0, kDraw), kMostInBatch);
  EXPECT_EQ(better_batch_size(kMostInBatch, 1000 * kEnough, kDraw), 1u);
  EXPECT_EQ(better_batch_size(1, 1000 * kEnough, kDraw), 1u);
  // A clock that is too slow to notice a draw.
  EXPECT_EQ(better_batch_size(4, 1, 0), 8u);
}

}  // namespace
}  // namespace bobbin
