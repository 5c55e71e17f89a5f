// SPDX-License-Identifier: Apache-2.0
// The monitor provides a root with a reserve and a stand-in. At the same time the root's kernel
// thread may take them, and the root ends. The stand-in is woken once, with the old record, or
// rests again, and no record is lost.
#include "sched/roots/stand_in.h"

#include <gtest/gtest.h>

#include "model/runtime/world.h"
#include "sched/roots/standby.h"
#include "sched/workers/pool_state.h"

namespace bobbin::model {
namespace {

struct State {
  Var<int> served{0};
  Var<Worker*> with{nullptr};
};

void stand_by(State& state) {
  Worker* worker = stand_by(*make<StandBy>());
  if (worker == nullptr) return;
  state.served = state.served + 1;
  state.with = worker;
}

// As in give_way(). Returns the record that the root has from then on.
Worker* give_way_once(Worker& worker) {
  Worker* fresh = worker.reserve.exchange(nullptr, acquire);
  if (fresh == nullptr) return &worker;
  take_the_place(*fresh, worker);
  hand_over_displaced(worker, *fresh);
  return fresh;
}

unsigned unused_records() {
  unsigned count = 0;
  for (Worker* worker = pool.unused; worker != nullptr; worker = worker->unused_next) count++;
  return count;
}

TEST(ModelStandIn, IsWokenOnceOrRestsAgain) {
  Result result = explore({.preemptions = 2, .stale_reads = 1}, [] {
    auto* world = make<World>(Provider::Fiber);
    Thread& root = world->add_root();
    Worker* worker = root.worker;
    worker->group->root = &root;
    world->provide_worker();  // for the reserve
    auto* state = make<State>();
    spawn([=] { stand_by(*state); });
    auto* taken = make<Var<bool>>(false);
    spawn([=] { recall_root(*worker); });
    Worker* last = give_way_once(*worker);
    *taken = last != worker;
    unregister_worker(last);
    end_standby();
    join_all();
    MODEL_CHECK(state->served == (*taken ? 1 : 0));
    if (*taken) MODEL_CHECK(state->with == worker && worker->kind == WorkerKind::Spare);
    if (*taken) unregister_worker(worker);
    MODEL_CHECK(pool.standby == nullptr && unused_records() == 2);
    for (unsigned i = 0; i < pool.highest.load(relaxed); ++i) {
      MODEL_CHECK(pool.registry[i].load(relaxed) == nullptr);
    }
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
