// SPDX-License-Identifier: Apache-2.0
// A thread takes hold of something that the kernel keeps for a kernel thread: it goes home, while
// others resume it, and takes part in the next region from there.
#include <gtest/gtest.h>

#include "model/runtime/parts.h"
#include "team/carriers/kept_threads.h"

namespace bobbin::model {
namespace {

// Going home is a hand-over: what the thread and those that resume it have written is visible
// there, and a resumption that comes on the way is not lost.
void go_home_with_luggage(Stage& stage) {
  Var<int> luggage(1);
  Thread& thread = stage.me();
  const int before = self();
  MODEL_CHECK(keep_kernel_thread(Hold::Stay));
  MODEL_CHECK(self() != before && thread.worker == thread.home && thread.home != nullptr);
  MODEL_CHECK(luggage == 1);
  luggage = 2;
  const int home = self();
  stage.announced.store(1, relaxed);
  WaitBegin begin;
  while (stage.flag.load(relaxed) == 0) {
    await(
        thread, begin, [&] { return stage.flag.load(relaxed) != 0; },
        [&] { stage.announced.store(2, relaxed); });
  }
  MODEL_CHECK(luggage == 2 && self() == home && thread.worker == thread.home);
  MODEL_CHECK(keep_kernel_thread(Hold::Stay) && self() == home);
}

void resume_at_any_time(Stage& stage) {
  Thread& kept = stage.thread(1);
  resume(kept);
  stage.flag.store(1, relaxed);
  bobbin::fence(seq_cst);
  if (stage.announced.load(relaxed) == 2) resume(kept);
}

void be_at_home(Stage& stage) {
  Thread& thread = stage.me();
  MODEL_CHECK(thread.worker == thread.home && thread.home != nullptr);
  stage.flag.store(1, relaxed);
}

void be_a_fiber(Stage& stage) { MODEL_CHECK(!is_kept(stage.me())); }

TEST(ModelKept, GoesHomeOnceAndStays) {
  Result result = explore({.preemptions = 1, .stale_reads = 1}, [] {
    auto* world = make<World>(Provider::Fiber);
    Thread& root = world->add_root();
    world->provide_worker();  // for the home
    perform(root, {&resume_at_any_time, &go_home_with_luggage});
    perform(root, {&be_a_fiber, &be_at_home});
  });
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelKept, GoesHomeFromAHelper) {
  Result result = explore({.preemptions = 1, .stale_reads = 1}, [] {
    auto* world = make<World>(Provider::Fiber);
    Thread& root = world->add_root();
    world->provide_worker();
    world->start_helper();
    perform(root, {&resume_at_any_time, &go_home_with_luggage});
    perform(root, {&be_a_fiber, &be_at_home});
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
