// SPDX-License-Identifier: Apache-2.0
// Where sources post and sinks look. In a fake team no sink has to wait.
#include "construct/worksharing/doacross.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <vector>

#include "construct/regions/parallel.h"
#include "fake_team.h"

namespace bobbin {
namespace {

using test::FakeTeam;
using Vector = std::vector<uint64_t>;

const std::vector<LoopSchedule> kSchedules = {
    {ScheduleKind::Static, 0},  {ScheduleKind::Static, 3}, {ScheduleKind::Dynamic, 0},
    {ScheduleKind::Dynamic, 4}, {ScheduleKind::Guided, 2},
};

void enter_all(FakeTeam& team, const Vector& counts, const LoopSchedule& schedule) {
  for (unsigned num = 0; num < team.size(); num++) {
    enter_doacross_loop(team.thread(num), static_cast<unsigned>(counts.size()), counts.data(),
                        schedule, {});
  }
}

void leave_all(FakeTeam& team) {
  for (unsigned num = 0; num < team.size(); num++) leave_share(team.thread(num));
}

// Gives out all iterations in turns; `run(thread, i)` is called in the order of the iterations.
template <class Run>
void run_in_order(FakeTeam& team, uint64_t count, Run&& run) {
  std::vector<int> owner(count, -1);
  for (bool any = true; any;) {
    any = false;
    for (unsigned num = 0; num < team.size(); num++) {
      uint64_t start;
      uint64_t end;
      if (!loop_next(team.thread(num), start, end)) continue;
      any = true;
      for (uint64_t i = start; i < end; i++) owner[i] = static_cast<int>(num);
    }
  }
  for (uint64_t i = 0; i < count; i++) run(team.thread(static_cast<unsigned>(owner[i])), i);
}

// A nest of real threads, in which each source tells that its iteration has been executed.
struct Nest {
  Vector counts = {23, 4, 5};
  LoopSchedule schedule;
  std::vector<Atomic<bool>> executed = std::vector<Atomic<bool>>(23 * 4 * 5);

  explicit Nest(const LoopSchedule& its_schedule) : schedule(its_schedule) {}

  Atomic<bool>& at(const Vector& v) {
    return executed[(v[0] * counts[1] + v[1]) * counts[2] + v[2]];
  }

  void sink(const Vector& vector) {
    doacross_wait(self(), vector.data());
    EXPECT_TRUE(at(vector).load(relaxed));
  }

  void source(const Vector& vector) {
    at(vector).store(true, relaxed);
    doacross_post(self(), vector.data());
  }

  void run_outermost(uint64_t i) {
    for (uint64_t j = 0; j < counts[1]; j++) {
      for (uint64_t k = 0; k < counts[2]; k++) {
        if (i > 0) sink({i - 1, j, k});
        if (i > 0 && k > 0) sink({i - 1, counts[1] - 1, 0});
        if (j > 0) sink({i, j - 1, k});
        source({i, j, k});
      }
    }
  }

  void run() {
    enter_doacross_loop(self(), 3, counts.data(), schedule, {});
    uint64_t i;
    uint64_t end;
    while (loop_next(self(), i, end)) {
      for (; i < end; i++) run_outermost(i);
    }
    leave_share(self());
  }
};

TEST(Doacross, SinksWaitForTheirSources) {
  for (const LoopSchedule& schedule : kSchedules) {
    for (unsigned size : {2u, 3u, 8u}) {
      Nest nest(schedule);
      ParallelClauses clauses;
      clauses.num_threads = size;
      parallel([](void* data) { static_cast<Nest*>(data)->run(); }, &nest, clauses);
      for (const Atomic<bool>& executed : nest.executed) EXPECT_TRUE(executed.load(relaxed));
    }
  }
}

TEST(Doacross, NestsTooLargeForOneNumber) {
  for (const LoopSchedule& schedule : kSchedules) {
    FakeTeam team(3);
    const uint64_t huge = uint64_t{1} << 40;
    Vector counts = {6, huge, huge};
    enter_all(team, counts, schedule);
    ASSERT_FALSE(team.thread(0).member->position.current->doacross->flat);
    run_in_order(team, counts[0], [&](Thread& thread, uint64_t i) {
      if (i > 0) {
        doacross_wait(thread, Vector{i - 1, huge - 1, huge - 1}.data());
        doacross_wait(thread, Vector{i - 1, huge - 1, 5}.data());
        doacross_wait(thread, Vector{i - 1, 0, huge - 1}.data());
      }
      doacross_post(thread, Vector{i, huge - 1, huge - 1}.data());
    });
    leave_all(team);
  }
}

// Their lanes narrowly exceed the memory's addresses, too.
TEST(DoacrossDeathTest, MoreIterationsThanMemory) {
  FakeTeam team(2);
  Vector counts = {(uint64_t{1} << 61) - 1};
  EXPECT_EXIT(enter_all(team, counts, {ScheduleKind::Dynamic, 1}),
              testing::ExitedWithCode(EXIT_FAILURE), "out of memory for the dependences");
}

TEST(Doacross, LanesOfChunksAreTheirOwn) {
  FakeTeam team(2);
  Vector counts = {40};
  enter_all(team, counts, {ScheduleKind::Dynamic, 4});
  Doacross& doacross = *team.thread(0).member->position.current->doacross;
  std::set<const void*> lanes;
  for (uint64_t chunk = 0; chunk < 10; chunk++) lanes.insert(&doacross.flat_lane(chunk));
  EXPECT_EQ(lanes.size(), 10u);
  for (uint64_t i : {3u, 4u, 39u}) {
    doacross_post(team.thread(0), Vector{i}.data());
    doacross_wait(team.thread(1), Vector{i}.data());
  }
  leave_all(team);
}

TEST(Doacross, HasNothingToDoWithoutIterationsOrCompany) {
  FakeTeam alone(1);
  enter_all(alone, {5, 5}, kSchedules[0]);
  EXPECT_EQ(doacross_dimensions(alone.thread(0)), 0u);
  leave_all(alone);
  FakeTeam team(2);
  enter_all(team, {5, 0}, kSchedules[0]);
  EXPECT_EQ(doacross_dimensions(team.thread(0)), 0u);
  leave_all(team);
}

}  // namespace
}  // namespace bobbin
