// SPDX-License-Identifier: Apache-2.0
// Which threads are woken for tasks that the sleepers may not begin.
#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>

#include "construct/regions/parallel.h"
#include "sched/workers/pool_state.h"
#include "task/create/create.h"
#include "task/wait/detach.h"
#include "task/wait/wait.h"
#include "task/wait/wait_loop.h"
#include "team/members/barrier.h"

namespace bobbin {
namespace {

constexpr RareSpec kLookAhead{.look_ahead = true};

constexpr unsigned kSleepers = 3;

struct Scene {
  std::atomic<Event*> events[kSleepers] = {};
  std::atomic<bool> executed{false};
};

bool all_asleep(const Team& team) {
  for (unsigned num = 1; num <= kSleepers; num++) {
    if (!team.barrier.asleep.has(num)) return false;
  }
  return true;
}

// The sum over all workers, because the monitor may have sent other workers to the threads
// meanwhile, and those may have ended.
uint32_t points_passed() {
  uint32_t sum = 0;
  SpinGuard guard(pool.lock);
  pool.each([&](const Worker& worker) {
    sum += worker.progress.load(relaxed);
    return false;
  });
  for (Worker* worker = pool.unused; worker != nullptr; worker = worker->unused_next) {
    sum += worker->progress.load(relaxed);
  }
  return sum;
}

void wait_for_event(Scene& scene, unsigned index) {
  void* data = nullptr;
  void* handle = nullptr;
  TaskSpec spec;
  spec.function = [](void*) {};
  spec.data = &data;
  spec.size = sizeof data;
  spec.alignment = alignof(void*);
  spec.event_handle = &handle;
  create_task(self(), spec);
  scene.events[index] = static_cast<Event*>(handle);
  taskwait(self());
}

// All other threads wait for their children. This one neither begins its task nor passes a
// scheduling point.
void look_on(Scene& scene) {
  Team& team = *self().member->team;
  while (!all_asleep(team)) sched_yield();
  Scene* data = &scene;
  TaskSpec spec;
  spec.function = [](void* argument) { (*static_cast<Scene**>(argument))->executed = true; };
  spec.data = &data;
  spec.size = sizeof data;
  spec.alignment = alignof(Scene*);
  spec.rare = &kLookAhead;
  create_task(self(), spec);
  const uint32_t before = points_passed();
  const uint64_t end = ticks() + 50'000 * ticks_per_us();
  while (ticks() < end) cpu_pause();
  EXPECT_LT(points_passed() - before, 1000U);
  EXPECT_FALSE(scene.executed);
  for (std::atomic<Event*>& event : scene.events) fulfill_event(*event.load());
}

// A wake-up for a sleeping thread would be lost on a thread that is in a task.
TEST(Calls, NobodyWhoExecutesCountsAsAsleep) {
  ParallelClauses clauses;
  clauses.num_threads = 2;
  parallel(
      [](void*) {
        Thread& thread = self();
        static std::atomic<bool> executed;
        if (thread.member->num == 0) {
          auto make = [] {
            TaskSpec spec;
            spec.function = [](void*) {
              const Member& member = *self().member;
              EXPECT_FALSE(member.team->barrier.asleep.has(member.num));
              executed = true;
            };
            spec.rare = &kLookAhead;
            create_task(self(), spec);
          };
          // The thread finds the task after it has announced that it sleeps.
          run_tasks_until(thread, [] { return executed.load(); }, make, [] {});
        }
        while (!executed) sched_yield();
        barrier_wait(thread);
      },
      nullptr, clauses);
}

// They do not wake each other again and again for a task that none of them may begin.
TEST(Calls, GoRoundOnce) {
  Scene scene;
  ParallelClauses clauses;
  clauses.num_threads = kSleepers + 1;
  parallel(
      [](void* data) {
        auto& all = *static_cast<Scene*>(data);
        const unsigned num = self().member->num;
        if (num == 0) {
          look_on(all);
        } else {
          wait_for_event(all, num - 1);
        }
        barrier_wait(self());
      },
      &scene, clauses);
  EXPECT_TRUE(scene.executed);
}

}  // namespace
}  // namespace bobbin
