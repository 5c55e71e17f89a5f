// SPDX-License-Identifier: Apache-2.0
// Completing the tasks of a recorded graph, which is replayed.
#include "task/graph/countdown.h"

#include <gtest/gtest.h>

#include "model/explore.h"

namespace bobbin::model {
namespace {

// Two tasks that nothing precedes, and one that follows both.
struct Graph {
  Atomic<uint32_t> blockers{2};
  Var<int> work[2]{{0}, {0}};
  Var<int> followed{0};      // written by the owner; two owners would be a race
  Atomic<int> completed{0};  // as the count of the taskgroup

  void run(int task, int round) {
    work[task] = round;
    if (count_down(blockers, 2)) {
      MODEL_CHECK(work[0] == round && work[1] == round);
      followed = followed + 1;
      completed.fetch_add(1, acq_rel);
    }
    completed.fetch_add(1, acq_rel);
  }
};

// The second replay begins when all tasks of the first one have completed.
TEST(ModelCountdown, TwoReplays) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    auto* graph = make<Graph>();
    for (int task = 0; task < 2; ++task) spawn([=] { graph->run(task, 1); });
    join_all();
    MODEL_CHECK(graph->followed == 1 && graph->completed.load(acquire) == 3);
    for (int task = 0; task < 2; ++task) spawn([=] { graph->run(task, 2); });
    join_all();
    MODEL_CHECK(graph->followed == 2 && graph->completed.load(acquire) == 6);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// The thread that completes the last task of a replay begins the next one, in which another thread
// completes the same tasks.
TEST(ModelCountdown, NextReplayByTheCounts) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    auto* graph = make<Graph>();
    auto* second = make<Atomic<bool>>(false);
    spawn([=] {
      graph->run(0, 1);
      while (!second->load(acquire)) cpu_pause();
      graph->run(0, 2);
    });
    spawn([=] {
      graph->run(1, 1);
      while (graph->completed.load(acquire) != 3) cpu_pause();
      second->store(true, release);
      graph->run(1, 2);
    });
    join_all();
    MODEL_CHECK(graph->followed == 2);
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
