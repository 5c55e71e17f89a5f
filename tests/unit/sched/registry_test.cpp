// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "sched/workers/pool_state.h"

namespace bobbin {
namespace {

constexpr unsigned kMany = 100;

unsigned slots() { return pool.highest.load(relaxed); }

unsigned registered() {
  unsigned count = 0;
  pool.each([&](Worker&) {
    count++;
    return false;
  });
  return count;
}

TEST(Registry, IsAsLongAsThoseInUseNeed) {
  Worker* workers[kMany];
  for (Worker*& worker : workers) worker = register_worker(WorkerKind::Root);
  EXPECT_EQ(slots(), kMany);
  EXPECT_EQ(registered(), kMany);
  // Every second one, then the upper half: the remaining ones lie below.
  for (unsigned i = 0; i < kMany; i += 2) unregister_worker(workers[i]);
  EXPECT_EQ(slots(), kMany);
  for (unsigned i = kMany - 1; i > kMany / 2; i -= 2) unregister_worker(workers[i]);
  EXPECT_EQ(slots(), kMany / 2);
  EXPECT_EQ(registered(), kMany / 4);
  Worker* next = register_worker(WorkerKind::Root);
  EXPECT_EQ(next->index, 0u);
  unregister_worker(next);
  for (unsigned i = 1; i < kMany / 2; i += 2) unregister_worker(workers[i]);
  EXPECT_EQ(slots(), 0u);
}

TEST(Registry, AWorkerSeesItselfAndTheOthers) {
  Worker* low = register_worker(WorkerKind::Root);
  Worker* high = register_worker(WorkerKind::Root);
  unregister_worker(low);
  EXPECT_EQ(slots(), 2u);
  unsigned others = 0;
  pool.each_other(*high, [&](Worker&) {
    others++;
    return false;
  });
  EXPECT_EQ(others, 0u);
  EXPECT_EQ(registered(), 1u);
  unregister_worker(high);
  EXPECT_EQ(slots(), 0u);
}

// A root needs a slot. Other threads can do without one.
TEST(Registry, KeepsSlotsForRoots) {
  std::vector<Worker*> spares;
  while (Worker* spare = register_worker(WorkerKind::Spare)) spares.push_back(spare);
  EXPECT_EQ(spares.size(), kMaxWorkers - kSlotsForRoots);
  Worker* root = register_worker(WorkerKind::Root);
  ASSERT_NE(root, nullptr);
  EXPECT_EQ(register_worker(WorkerKind::Thread), nullptr);
  unregister_worker(root);
  for (Worker* spare : spares) unregister_worker(spare);
  EXPECT_EQ(slots(), 0u);
}

}  // namespace
}  // namespace bobbin
