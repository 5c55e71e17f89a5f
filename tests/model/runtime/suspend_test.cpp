// SPDX-License-Identifier: Apache-2.0
// The hand-over of fibers: suspend() against resume(), and the state that a fiber takes from worker
// to worker.
#include <gtest/gtest.h>

#include "model/runtime/parts.h"

namespace bobbin::model {
namespace {

long moves = 0;  // moves of fibers between workers, over all executions

// The root plays the first part.
Result region(Options options, unsigned helpers, std::initializer_list<Part> parts) {
  return explore(options, [=] {
    auto* world = make<World>(Provider::Fiber);
    Thread& root = world->add_root();
    for (unsigned i = 0; i < helpers; ++i) world->start_helper();
    perform(root, parts);
  });
}

// Two notifications, each with a number. They may merge, and then both numbers must be visible.
void sleep_for_two(Stage& stage) {
  auto sum = [&] { return stage.brought[0].load(relaxed) + stage.brought[1].load(relaxed); };
  suspend(stage.me());
  if (sum() < 2) suspend(stage.me());
  MODEL_CHECK(sum() == 2);
}

void bring(Stage& stage, int i, Thread& sleeper) {
  stage.brought[i].store(1, relaxed);
  resume(sleeper);
}

void wake_twice(Stage& stage) {
  Thread& sleeper = stage.thread(1);
  bring(stage, 0, sleeper);
  bring(stage, 1, sleeper);
}

// The condition is relaxed, so it orders nothing: the hand-over must make the sleeper's own
// variable visible.
void sleep_with_luggage(Stage& stage) {
  Var<int> luggage(0);
  for (int turn = 1; turn <= 2; ++turn) {
    luggage = luggage + 1;
    Thread& thread = stage.me();
    WaitBegin begin;
    while (stage.flag.load(relaxed) < turn) {
      await(
          thread, begin, [&] { return stage.flag.load(relaxed) >= turn; },
          [&] { stage.announced.store(turn, relaxed); });
    }
    MODEL_CHECK(luggage == turn);
  }
}

// The sleeper's worker continues with a member that spins until the sleeper has finished. So the
// sleeper must continue elsewhere, and only the hand-over orders its accesses there and here.
void sleep_once(Stage& stage) {
  Var<int> luggage(1);
  int before = self();
  suspend(stage.me());
  MODEL_CHECK(luggage == 1);
  luggage = 2;
  if (self() != before) ++moves;
  stage.flag.store(1, relaxed);
}

void spin_meanwhile(Stage& stage) {
  stage.announced.store(1, relaxed);
  while (stage.flag.load(relaxed) == 0) bobbin::cpu_pause();
}

// Not a scheduling point: the helper begins both of them.
void wake_the_first(Stage& stage) {
  while (stage.announced.load(relaxed) == 0) bobbin::cpu_pause();
  resume(stage.thread(1));
}

void wake_when_announced(Stage& stage) {
  Thread& sleeper = stage.thread(1);
  for (int turn = 1; turn <= 2; ++turn) {
    stage.flag.store(turn, relaxed);
    bobbin::fence(seq_cst);
    if (stage.announced.load(relaxed) == turn) resume(sleeper);
  }
}

TEST(ModelSuspend, NotificationsMergeButLoseNothing) {
  Result result = region({.preemptions = 2, .stale_reads = 1}, 1, {&wake_twice, &sleep_for_two});
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelSuspend, FiberKeepsItsStack) {
  Result result =
      region({.preemptions = 2, .stale_reads = 1}, 1, {&wake_when_announced, &sleep_with_luggage});
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelSuspend, FiberMovesToAnotherWorker) {
  moves = 0;
  Result result = region({.preemptions = 1, .stale_reads = 0}, 1,
                         {&wake_the_first, &sleep_once, &spin_meanwhile});
  EXPECT_TRUE(result.passed()) << result;
  EXPECT_GT(moves, 0);
}

// The pieces alone, without the fences of the loops around them. The writes of the fiber's worker
// before the switch, and those of the resumer, become visible to the worker that takes the fiber.
Result hand_over(bool of_root) {
  return explore({.preemptions = 3, .stale_reads = 2}, [=] {
    auto* world = make<World>(Provider::Fiber);
    Thread& root = world->add_root();
    Worker* worker = root.worker;
    struct Shared {
      Fiber fiber;
      Var<int> before_switch{0};
      Var<int> before_resume{0};
      Var<int> taken{0};
    };
    auto* shared = make<Shared>();
    shared->fiber.worker = worker;
    shared->fiber.group.store(root.group.load(relaxed), relaxed);
    if (of_root) shared->fiber.home = worker;
    spawn([=] {
      shared->before_switch = 1;
      worker->leaving = &shared->fiber;
      worker->arrive();
    });
    spawn([=] {
      shared->before_resume = 1;
      resume(shared->fiber);
    });
    auto take = [=] {
      Fiber* fiber =
          of_root ? worker->home_ready.exchange(nullptr, acquire) : worker->inbox.take_all();
      if (fiber == nullptr) return;
      MODEL_CHECK(fiber == &shared->fiber && shared->before_switch == 1);
      MODEL_CHECK(shared->before_resume == 1);
      shared->taken = shared->taken + 1;
    };
    spawn(take);
    join_all();
    take();
    MODEL_CHECK(shared->taken == 1);
  });
}

TEST(ModelHandOver, CarriesBothSides) {
  Result result = hand_over(false);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelHandOver, CarriesBothSidesHome) {
  Result result = hand_over(true);
  EXPECT_TRUE(result.passed()) << result;
}

// One thread resumes several fibers together, and finds some of them still running. Each is taken
// once, with the writes of both sides.
TEST(ModelHandOver, CarriesEachOfMany) {
  constexpr int kMany = 3;
  Result result = explore({.preemptions = 3, .stale_reads = 1}, [] {
    auto* world = make<World>(Provider::Fiber);
    Thread& root = world->add_root();
    struct Sleeper : Fiber {
      Var<int> before_switch{0};
      Var<int> before_resume{0};
      Var<int> taken{0};
    };
    auto* sleepers = static_cast<Sleeper*>(allocate(kMany * sizeof(Sleeper)));
    for (int i = 0; i < kMany; ++i) {
      auto* sleeper = new (&sleepers[i]) Sleeper;
      sleeper->worker = root.worker;
      sleeper->group.store(root.group.load(relaxed), relaxed);
    }
    Worker* worker = root.worker;
    spawn([=] {
      for (int i = 0; i < kMany; ++i) {
        sleepers[i].before_switch = 1;
        worker->leaving = &sleepers[i];
        worker->arrive();
      }
    });
    spawn([=] {
      Resumptions resumptions;
      for (int i = 0; i < kMany; ++i) {
        sleepers[i].before_resume = 1;
        resumptions.add(sleepers[i]);
      }
    });
    auto take = [=] {
      for (Fiber* fiber = worker->inbox.take_all(); fiber != nullptr; fiber = fiber->next) {
        auto* sleeper = static_cast<Sleeper*>(fiber);
        MODEL_CHECK(sleeper->before_switch == 1 && sleeper->before_resume == 1);
        sleeper->taken = sleeper->taken + 1;
      }
    };
    spawn(take);
    join_all();
    take();
    for (int i = 0; i < kMany; ++i) MODEL_CHECK(sleepers[i].taken == 1);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// A late notification of an earlier wait merges with the awaited one: taken as one, it makes the
// writes of both visible. The waker leaves no other sign.
TEST(ModelSuspend, MergedNotificationsTellOfBoth) {
  Result result = explore({.preemptions = 4, .stale_reads = 2}, [] {
    auto* world = make<World>(Provider::Fiber);
    Thread& root = world->add_root();
    auto* woken = make<Atomic<bool>>(false);
    spawn([&root] { resume(root); });
    spawn([=, &root] {
      woken->store(true, release);
      resume(root);
    });
    while (!woken->load(acquire)) {
      suspend(root);
      fence(seq_cst);
    }
    join_all();
  });
  EXPECT_TRUE(result.passed()) << result;
}

// Kernel provider: the sleeper's kernel thread itself sleeps.
TEST(ModelSuspendKernel, NotificationsMergeButLoseNothing) {
  Result result = explore({.preemptions = 3, .stale_reads = 2, .spurious_wakes = 1}, [] {
    auto* world = make<World>(Provider::Kernel);
    Thread& thread = world->add_root();
    auto* brought = make<Atomic<int>>(0);
    for (int i = 0; i < 2; ++i) {
      spawn([=, &thread] {
        brought->fetch_add(1, relaxed);
        resume(thread);
      });
    }
    suspend(thread);
    if (brought->load(relaxed) < 2) suspend(thread);
    MODEL_CHECK(brought->load(relaxed) == 2);
    join_all();
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
