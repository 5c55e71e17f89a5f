// SPDX-License-Identifier: Apache-2.0
// A mode of its own, in one file: thieves begin with a random victim. Programs of tests/omp run in
// it. (team/model/mode.h says what a mode is.)
#include <gtest/gtest.h>

#include <random>

#include "task/model/constraint.h"
#include "task/run/find_in_mode.h"

extern "C" {
int toy_task_basic();
int toy_task_depend();
int toy_task_wait();
int toy_taskloop();
}

namespace bobbin {
namespace {

Atomic<unsigned> searches_done{0};

struct RandomVictims : Deques {
  static unsigned first_victim(const Thread& thread) {
    thread_local std::minstd_rand random;
    return static_cast<unsigned>(random()) % thread.member->team->size;
  }
};

class ToyMode final : public Mode {
 public:
  static constexpr ModeRank kRank = ModeRank::Other;
  ToyMode() : Mode(kRank) {}

  bool searches(const Thread& /*thread*/) override { return true; }
  Found search(Thread& thread, Completions& completions) override {
    searches_done.fetch_add(1, relaxed);
    return find_task(
        thread, [&](const Task* task) { return may_begin(thread, *task); }, completions,
        RandomVictims(), [&] { return find_beside(thread); });
  }
};

// Each program is to search in the mode, and to end well.
void expect_to_run(int (*program)()) {
  searches_done.store(0, relaxed);
  EXPECT_EQ(program(), 0);
  EXPECT_GT(searches_done.load(relaxed), 0u);
}

TEST(ToyMode, RunsTasks) { expect_to_run(toy_task_basic); }
TEST(ToyMode, RunsDependentTasks) { expect_to_run(toy_task_depend); }
TEST(ToyMode, WaitsForTasks) { expect_to_run(toy_task_wait); }
TEST(ToyMode, RunsTaskloops) { expect_to_run(toy_taskloop); }

}  // namespace

// The linker puts it around begin_modes(), which the test's task policy calls at each region.
void begin_modes_of_runtime(Team& team) __asm__("__real__ZN6bobbin11begin_modesERNS_4TeamE");
void begin_modes_and_toy(Team& team) __asm__("__wrap__ZN6bobbin11begin_modesERNS_4TeamE");
void begin_modes_and_toy(Team& team) {
  begin_modes_of_runtime(team);
  begin_mode<ToyMode>(team);
}

}  // namespace bobbin
