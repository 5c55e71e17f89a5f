// SPDX-License-Identifier: Apache-2.0
// Kernel threads rest until they are called or have rested enough, whichever of the two they learn
// of first: a call reaches exactly one of them, and none is left behind.
#include "sched/resting.h"

#include <gtest/gtest.h>

#include "model/runtime/world.h"
#include "sched/pool_state.h"

namespace bobbin::model {
namespace {

constexpr int kResting = 2;

struct State {
  Worker workers[kResting];
  Var<int> served[kResting]{0, 0};
};

void rest_once(State& state) {
  Worker* worker = rest();
  if (worker == nullptr) return;
  Var<int>& served = state.served[worker - state.workers];
  served = served + 1;
}

Result calls(bool then_end) {
  return explore({.preemptions = 2, .stale_reads = 1}, [=] {
    make<World>(Provider::Fiber);
    auto* state = make<State>();
    for (int i = 0; i < kResting; ++i) spawn([=] { rest_once(*state); });
    bool called[kResting];
    for (int i = 0; i < kResting; ++i) called[i] = wake_resting(state->workers[i]);
    if (then_end) end_resting();
    join_all();
    for (int i = 0; i < kResting; ++i) MODEL_CHECK(state->served[i] == (called[i] ? 1 : 0));
    MODEL_CHECK(pool.resting == nullptr);
  });
}

TEST(ModelResting, CalledOrNot) {
  Result result = calls(false);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelResting, CalledOrEnded) {
  Result result = calls(true);
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
