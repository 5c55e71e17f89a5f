// SPDX-License-Identifier: Apache-2.0
// Fibers for which a busy worker has no time: another worker takes them, or gives them back.
#include <gtest/gtest.h>

#include "model/runtime/parts.h"

namespace bobbin::model {
namespace {

// --- A worker whose own fiber waits takes over fibers of another worker, however long it may spin.

struct Patience {
  static constexpr bool kLooksOutside = false;
  uint64_t ticks() const { return ~uint64_t{0}; }
  void learn(uint64_t) {}
};

void wait_patiently(Stage& stage) {
  // No scheduling point, so the helper begins the others.
  while (stage.announced.load(relaxed) < 2) bobbin::cpu_pause();
  WaitBegin begin;
  while (stage.flag.load(acquire) == 0) {
    await(
        stage.me(), begin, [&] { return stage.flag.load(acquire) != 0; },
        [&] { stage.brought[0].store(1, relaxed); }, Patience{});
  }
}

// The fiber is ready again while the worker on which it ran is busy with the next part.
void be_resumed(Stage& stage) {
  stage.announced.fetch_add(1, relaxed);
  suspend(stage.me());
  stage.flag.store(1, release);
  bobbin::fence(seq_cst);
  if (stage.brought[0].load(relaxed) != 0) resume(stage.thread(0));
}

void keep_worker_busy(Stage& stage) {
  stage.announced.fetch_add(1, relaxed);
  resume(stage.thread(1));
  while (stage.flag.load(relaxed) == 0) bobbin::cpu_pause();
}

TEST(ModelSteal, WhoWaitsTakesFibersOfOthers) {
  Result result = explore({.preemptions = 1, .stale_reads = 1}, [] {
    auto* world = make<World>(Provider::Fiber);
    Thread& root = world->add_root();
    world->start_helper();
    perform(root, {&wait_patiently, &be_resumed, &keep_worker_busy});
  });
  EXPECT_TRUE(result.passed()) << result;
}

// --- A thief that gives fibers back finds their owner awake, or wakes it.

void announce_and_suspend(Stage& stage) {
  stage.announced.fetch_add(1, relaxed);
  suspend(stage.me());
  stage.flag.store(1, relaxed);
}

// Resumes the other threads, and lets the helper wake up for them.
void resume_the_others(Stage& stage) {
  const auto others = static_cast<int>(stage.team->size) - 1;
  while (stage.announced.load(relaxed) < others) bobbin::cpu_pause();
  for (int num = 1; num <= others; ++num) resume(stage.thread(static_cast<unsigned>(num)));
  const Worker& helper = *pool.helpers[0].load(relaxed);
  while (helper.idle.load(relaxed) && stage.flag.load(relaxed) == 0) bobbin::cpu_pause();
}

// At the join the root takes both fibers, continues with one and has no room for the other.
TEST(ModelSteal, WithoutMemoryForAQueue) {
  Result result = explore({.preemptions = 2, .stale_reads = 0}, [] {
    auto* world = make<World>(Provider::Fiber);
    Thread& root = world->add_root();
    world->start_helper();
    memory_is_used_up = true;
    perform(root, {&resume_the_others, &announce_and_suspend, &announce_and_suspend});
  });
  EXPECT_TRUE(result.passed()) << result;
}

// When this root wakes up for its fiber, another root comes by. That root must not keep the fiber.
void be_resumed_while_another_root_looks(Stage& stage) {
  Thread& me = stage.me();
  const Worker& worker = *me.worker;
  spawn([&] {
    while (!worker.idle.load(relaxed)) bobbin::cpu_pause();
    spawn([] { suspend(World::instance->add_root()); }, Role::Daemon);
    resume(me);
  });
  suspend(me);
}

TEST(ModelSteal, OfAnotherGroup) {
  Result result = explore({.preemptions = 2, .stale_reads = 0}, [] {
    auto* world = make<World>(Provider::Fiber);
    Thread& root = world->add_root();
    perform(root, {[](Stage&) {}, &be_resumed_while_another_root_looks});
    join_all();
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
