// SPDX-License-Identifier: Apache-2.0
// A kernel thread ends while a fiber that ran on it last is made ready. Its record serves another
// kernel thread at once.
#include <gtest/gtest.h>

#include "model/runtime/world.h"

namespace bobbin::model {
namespace {

struct State {
  Fiber fiber;
  Var<int> luggage{0};
  Var<int> taken{0};
};

void take(State& state, Worker& worker) {
  Fiber* fiber = worker.inbox.take_all();
  if (fiber == nullptr) return;
  MODEL_CHECK(fiber == &state.fiber && state.luggage == 1);
  state.taken = state.taken + 1;
}

Result end_against_enqueue(bool reused) {
  return explore({.preemptions = 3, .stale_reads = 2}, [=] {
    auto* world = make<World>(Provider::Fiber);
    Thread& root = world->add_root();
    world->provide_worker();
    Worker* spare = register_worker(WorkerKind::Spare);
    auto* state = make<State>();
    state->fiber.worker = spare;
    state->fiber.group.store(root.group.load(relaxed), relaxed);
    spawn([=] {
      unregister_worker(spare);
      if (!reused) return;
      Worker* next = register_worker(WorkerKind::Spare);
      MODEL_CHECK(next == spare);
      take(*state, *next);
    });
    spawn([=] {
      state->luggage = 1;
      enqueue(state->fiber);
    });
    join_all();
    // Whichever thread has it now, no two have it.
    take(*state, *root.worker);
    if (reused) take(*state, *spare);
    MODEL_CHECK(state->taken == 1);
  });
}

TEST(ModelWorkerEnd, ItsFibersGoHome) {
  Result result = end_against_enqueue(false);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelWorkerEnd, OrToItsSuccessor) {
  Result result = end_against_enqueue(true);
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
