// SPDX-License-Identifier: Apache-2.0
#include "platform/locks/spinlock.h"

#include <gtest/gtest.h>

#include "model/explore.h"

namespace bobbin::model {
namespace {

Result increments(int threads, int rounds, Options options) {
  return explore(options, [=] {
    struct State {
      SpinLock lock;
      Var<int> count{0};
    };
    auto* s = make<State>();
    for (int i = 0; i < threads; ++i) {
      spawn([=] {
        for (int k = 0; k < rounds; ++k) {
          SpinGuard guard(s->lock);
          s->count = s->count + 1;
        }
      });
    }
    join_all();
    MODEL_CHECK(s->count == threads * rounds);
    MODEL_CHECK(s->lock.try_lock());
  });
}

TEST(ModelSpinLock, TwoThreads) {
  Result result = increments(2, 2, {.preemptions = 4, .stale_reads = 2, .spurious_wakes = 1});
  EXPECT_TRUE(result.passed()) << result;
}

// Three threads, so that one may sleep behind another sleeper.
TEST(ModelSpinLock, ThreeThreads) {
  Result result = increments(3, 1, {.preemptions = 3, .stale_reads = 2, .spurious_wakes = 1});
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelSpinLock, TryLockSeesWhatUnlockLeft) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    struct State {
      SpinLock lock;
      Var<int> count{0};
    };
    auto* s = make<State>();
    for (int i = 0; i < 2; ++i) {
      spawn([=] {
        if (!s->lock.try_lock()) return;
        s->count = s->count + 1;
        s->lock.unlock();
      });
    }
    join_all();
    MODEL_CHECK(s->count >= 1);
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
