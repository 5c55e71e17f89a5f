// SPDX-License-Identifier: Apache-2.0
// A resting member is adopted: from then on its thread is the adopter's. The worker that carried
// the thread before continues as the worker that it was.
#include <gtest/gtest.h>

#include "model/runtime/world.h"
#include "sched/workers/ticket.h"

namespace bobbin::model {
namespace {

// Nothing suspends here, so each kernel thread returns as the worker as which it was sent.
void visit(Team& team) {
  Worker* worker = register_worker(WorkerKind::Helper);
  take_part(team, *worker);
  MODEL_CHECK(current_thread_pointer() == worker->native_tls);
}

TEST(ModelAdoption, EachGoesOnAsTheWorkerThatItWas) {
  Result result = explore({.preemptions = 2, .stale_reads = 1}, [] {
    auto* world = make<World>(Provider::Fiber);
    Thread& root = world->add_root();
    for (int i = 0; i < 2; ++i) world->provide_worker();
    Team* team = assemble(root, 2, Icvs{});
    fork(root, *team, [](void*) {}, nullptr);
    team->has_tasks.store(true, relaxed);  // makes resting members be adopted
    for (int i = 0; i < 2; ++i) spawn([=] { visit(*team); });
    join_all();
    join(root, *team);
    MODEL_CHECK(root.worker == root.home);
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
