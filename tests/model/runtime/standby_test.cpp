// SPDX-License-Identifier: Apache-2.0
// Kernel threads rest until they are woken or the last root ends. A wake-up reaches exactly one of
// them. None is left behind, even if it comes to rest after the root has ended.
#include "sched/roots/standby.h"

#include <gtest/gtest.h>

#include "model/runtime/world.h"
#include "sched/workers/pool_state.h"

namespace bobbin::model {
namespace {

constexpr int kResting = 2;

struct State {
  Worker workers[kResting];
  Var<int> served[kResting]{0, 0};
};

void rest_once(State& state) {
  auto* standby = make<StandBy>();
  Worker* worker = stand_by(*standby);
  if (worker == nullptr) return;
  Var<int>& served = state.served[worker - state.workers];
  served = served + 1;
}

TEST(ModelResting, CalledOrEnded) {
  Result result = explore({.preemptions = 2, .stale_reads = 1}, [] {
    auto* world = make<World>(Provider::Fiber);
    Thread& root = world->add_root();
    auto* state = make<State>();
    for (int i = 0; i < kResting; ++i) spawn([=] { rest_once(*state); });
    bool called[kResting];
    for (int i = 0; i < kResting; ++i) called[i] = wake_standby(state->workers[i]);
    unregister_worker(root.worker);
    end_standby();
    join_all();
    for (int i = 0; i < kResting; ++i) MODEL_CHECK(state->served[i] == (called[i] ? 1 : 0));
    MODEL_CHECK(pool.standby == nullptr);
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
