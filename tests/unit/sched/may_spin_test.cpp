// SPDX-License-Identifier: Apache-2.0
//
// Whether a wait may spin where other processes want processors, too.
#include <gtest/gtest.h>

#include "sched/workers/pool_state.h"

namespace bobbin {
namespace {

class MaySpin : public ::testing::Test {
 protected:
  void SetUp() override {
    pool.processors = 2;
    self_ = register_worker(WorkerKind::Root);
    other_ = register_worker(WorkerKind::Helper);
  }
  void TearDown() override {
    unregister_worker(other_);
    unregister_worker(self_);
  }

  // Each of the looks that must agree has met so many other processes.
  void others_keep_busy(unsigned processors) {
    for (unsigned look = 0; look < Neighbours::kAgreeing; look++) {
      pool.neighbours.see(processors, kNow, 0, kPeriod);
    }
  }
  bool may_spin_beside(bool active) {
    other_->active.store(active, relaxed);
    return may_spin(*self_, kNow + 1);
  }

  static constexpr uint64_t kNow = 1000;
  static constexpr uint64_t kPeriod = 100;
  Worker* self_ = nullptr;
  Worker* other_ = nullptr;
};

TEST_F(MaySpin, AsLongAsNobodyElseWantsAProcessor) {
  others_keep_busy(0);
  EXPECT_TRUE(may_spin_beside(true));
}

TEST_F(MaySpin, WhereAProcessorIsLeft) {
  others_keep_busy(1);
  EXPECT_TRUE(may_spin_beside(false));
}

TEST_F(MaySpin, NotWhereAnotherWorkerNeedsIt) {
  others_keep_busy(1);
  EXPECT_FALSE(may_spin_beside(true));
}

TEST_F(MaySpin, NotWhereOthersWantAll) {
  others_keep_busy(2);
  EXPECT_FALSE(may_spin_beside(false));
}

}  // namespace
}  // namespace bobbin
