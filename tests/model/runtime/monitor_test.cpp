// SPDX-License-Identifier: Apache-2.0
// The monitor. A worker that passes no scheduling point must not keep others from running, and a
// monitor that has fallen asleep must be woken for the next region.
#include <gtest/gtest.h>

#include "model/runtime/parts.h"

namespace bobbin::model {
namespace {

void begin(void* data) { static_cast<Atomic<int>*>(data)->store(1, release); }

// A region of two threads, whose first member only waits until the second one begins.
void region_with_spin(World& world, Thread& root) {
  world.provide_worker();
  auto* begun = make<Atomic<int>>(0);
  Team* team = assemble(root, 2, Icvs{});
  fork(root, *team, &begin, begun);
  while (begun->load(acquire) == 0) bobbin::cpu_pause();
  join(root, *team);
}

World& world_without_helpers() {
  auto* world = make<World>(Provider::Fiber, 1);
  pool.most_helpers = 0;
  pool.no_more_threads.clear();
  return *world;
}

Result spare_for_a_spinning_one(bool beside_an_idle_processor) {
  return explore({.preemptions = 1, .stale_reads = 1}, [=] {
    World& world = world_without_helpers();
    processor_is_idle = beside_an_idle_processor;
    Thread& root = world.add_root();
    region_with_spin(world, root);
  });
}

TEST(ModelMonitor, SpareWorkerForASpinningOne) {
  Result result = spare_for_a_spinning_one(false);
  EXPECT_TRUE(result.passed()) << result;
}

// Found in one of the close looks.
TEST(ModelMonitor, SpareWorkerBesideAnIdleProcessor) {
  Result result = spare_for_a_spinning_one(true);
  EXPECT_TRUE(result.passed()) << result;
}

// A worker that is idle and never comes when it is woken: something else has its processor.
Worker* absent_worker(World& world) {
  world.provide_worker();
  Worker* absent = register_worker(WorkerKind::Helper);
  absent->idle.store(true, relaxed);
  return absent;
}

void announce_and_suspend(Stage& stage) {
  stage.announced.store(1, release);
  suspend(stage.me());
  stage.flag.store(1, relaxed);
}

void do_nothing(Stage&) {}

long left_with_absent = 0;  // fibers left with it, over all executions

// The member ran last on that worker, so it is put into that worker's inbox when it is resumed.
TEST(ModelMonitor, SpareWorkerForAnAbsentOne) {
  left_with_absent = 0;
  Result result = explore({.preemptions = 1, .stale_reads = 0}, [] {
    World& world = world_without_helpers();
    Thread& root = world.add_root();
    Worker* absent = absent_worker(world);
    world.provide_worker();
    auto* play = make<Play>();
    play->parts[0] = &do_nothing;
    play->parts[1] = &announce_and_suspend;
    Team* team = assemble(root, 2, Icvs{});
    play->stage.team = team;
    spawn([=] {
      while (play->stage.announced.load(acquire) == 0) bobbin::cpu_pause();
      Thread& sleeper = play->stage.thread(1);
      if (sleeper.state.load(acquire) == static_cast<uint32_t>(FiberState::Waiting)) {
        sleeper.worker = absent;
        left_with_absent++;
      }
      resume(sleeper);
    });
    fork(root, *team, &Play::run, play);
    Play::run(play);
    join(root, *team);
    MODEL_CHECK(play->stage.flag.load(relaxed) == 1);
    join_all();
  });
  EXPECT_TRUE(result.passed()) << result;
  EXPECT_GT(left_with_absent, 0);
}

// Between the regions the monitor looks in vain, until it falls asleep. The second region opens at
// each of the moments around that.
Result sleep_and_wake(int preemptions, int stale_reads) {
  constexpr int kLooksBeforeSleep = 25;
  Options options{.preemptions = preemptions, .stale_reads = stale_reads, .max_steps = 20'000};
  return explore(options, [] {
    World& world = world_without_helpers();
    Thread& root = world.add_root();
    region_with_spin(world, root);
    int looks = kLooksBeforeSleep + choose(2);
    for (int i = 0; i < looks; ++i) {
      root.worker->stuck.load(relaxed);  // written at each look
      bobbin::cpu_pause();
    }
    region_with_spin(world, root);
  });
}

TEST(ModelMonitor, SleepsAndIsWoken) {
  Result result = sleep_and_wake(1, 0);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelMonitor, SleepsAndIsWokenStale) {
  Result result = sleep_and_wake(0, 1);
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
