// SPDX-License-Identifier: Apache-2.0
// A root between regions.
#include "team/model/root.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <thread>

#include "construct/locks/lock.h"
#include "construct/regions/parallel.h"
#include "sched/workers/pool.h"
#include "team/regions/roots.h"

namespace bobbin {
namespace {

// Otherwise its next region would not be the outermost one, at whose end it returns home.
TEST(Root, IsOutsideOfRegionsAfterAWaitThere) {
  init_runtime();
  if (!provider.threads_move) GTEST_SKIP() << "there a root never leaves its kernel thread";
  Lock lock;
  lock.lock();
  std::atomic<Worker*> home{nullptr};
  std::thread waiter([&] {
    home = self().home;
    lock.lock();
    EXPECT_FALSE(self().home->active.load(relaxed));
    lock.unlock();
    ParallelClauses clauses;
    clauses.num_threads = 2;
    parallel([](void*) { EXPECT_TRUE(self().root->thread.home->active.load(relaxed)); }, nullptr,
             clauses);
    EXPECT_FALSE(self().home->active.load(relaxed));
    EXPECT_EQ(self().worker, self().home);
  });
  while (home.load() == nullptr || !home.load()->idle.load(relaxed)) sched_yield();
  lock.unlock();
  waiter.join();
}

}  // namespace
}  // namespace bobbin
