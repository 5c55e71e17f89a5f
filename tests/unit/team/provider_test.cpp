// SPDX-License-Identifier: Apache-2.0
// A provider of the test's own, to show that the rest of the runtime asks only what is in
// sched/workers/provider.h: each part of a region has a new kernel thread, which ends with the
// part.
#include "sched/workers/provider.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "sched/workers/pool.h"
#include "team/carriers/inlined_self.h"
#include "team/members/member.h"
#include "team/model/team.h"
#include "team/regions/roots.h"

extern "C" void GOMP_parallel(void (*function)(void*), void* data, unsigned threads,
                              unsigned flags);
extern "C" void GOMP_barrier();
extern "C" void GOMP_task(void (*function)(void*), void* data, void (*copy)(void*, void*),
                          long size, long alignment, bool condition, unsigned flags, void** depend,
                          int priority);
extern "C" int omp_get_thread_num();
extern "C" void omp_set_max_active_levels(int levels);

namespace bobbin {
namespace {

std::atomic<int> launched{0};

void carry(Thread& thread, Worker& worker) {
  set_self(&thread);
  thread.worker = &worker;
  thread.tls = worker.native_tls = current_thread_pointer();
  run_member(*thread.own_member);
  set_self(nullptr);
  unregister_worker(&worker);
  rest_after_region(*thread.own_member);
}

bool start(Thread&, Thread&) { return true; }
void end(Thread&) {}
void call_here(Thread& thread, void (*function)(Thread&)) { function(thread); }

void launch(Team& team, Worker&) {
  for (unsigned num = 1; num < team.size; num++) {
    Worker* worker = register_worker(WorkerKind::Thread);
    ASSERT_NE(worker, nullptr);
    launched++;
    std::thread(carry, std::ref(*team.members[num]->thread), std::ref(*worker)).detach();
  }
}

// Those that rest have no kernel thread any more, so those that still run execute all tasks.
void call_nobody(Team&, const Thread&) {}

class ProviderTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    init_runtime();
    provider = {.name = "test",
                .threads_move = false,
                .calls_resting = true,
                .start = start,
                .end = end,
                .call_as = call_here,
                .launch = launch,
                .call_resting = call_nobody};
  }
};

void region(unsigned threads, void (*function)(void*), void* data) {
  GOMP_parallel(function, data, threads, 0);
}

TEST_F(ProviderTest, EachThreadHasItsPart) {
  for (unsigned threads : {2u, 5u, 3u}) {
    launched = 0;
    std::vector<int> parts(threads);
    region(
        threads,
        [](void* data) { (*static_cast<std::vector<int>*>(data))[omp_get_thread_num()]++; },
        &parts);
    EXPECT_EQ(parts, std::vector<int>(threads, 1));
    EXPECT_EQ(launched, static_cast<int>(threads - 1));
  }
}

TEST_F(ProviderTest, ThreadsMeetAtBarriers) {
  static std::atomic<int> arrived{0};
  static std::atomic<int> early{0};
  constexpr int kBarriers = 50;
  region(
      4,
      [](void*) {
        for (int i = 1; i <= kBarriers; i++) {
          arrived++;
          GOMP_barrier();
          if (arrived < 4 * i) early++;
        }
      },
      nullptr);
  EXPECT_EQ(arrived, 4 * kBarriers);
  EXPECT_EQ(early, 0);
}

TEST_F(ProviderTest, TasksAndInnerRegionsAreExecuted) {
  static std::atomic<int> tasks{0};
  static std::atomic<int> inner{0};
  omp_set_max_active_levels(2);
  region(
      3,
      [](void*) {
        for (int i = 0; i < 100; i++) {
          GOMP_task([](void*) { tasks++; }, nullptr, nullptr, 0, 1, true, 0, nullptr, 0);
        }
        region(2, [](void*) { inner++; }, nullptr);
      },
      nullptr);
  EXPECT_EQ(tasks, 300);
  EXPECT_EQ(inner, 6);
}

}  // namespace
}  // namespace bobbin
