// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/locks/futex.h"
#include "sched/workers/pool.h"
#include "team/members/fork_child.h"
#include "team/model/team.h"

namespace bobbin {

// A wait for what other threads do before long, and of which they tell nobody. The processor of
// such a thread may be taken away meanwhile, so this one does not spin for ever.
class ShortWait {
 public:
  explicit ShortWait(Thread& thread) : thread_(thread) {}

  void pause() {
    expect_others(*thread_.member->team);
    if (yield(thread_)) return;
    if (rounds_ < kRounds) {
      rounds_++;
      cpu_pause();
    } else {
      Atomic<uint32_t> nobody{0};
      futex_wait(nobody, 0, kSleepNs);
    }
  }

 private:
  static constexpr unsigned kRounds = 2000;  // some 50 us
  static constexpr uint64_t kSleepNs = 50'000;

  Thread& thread_;
  unsigned rounds_ = 0;
};

}  // namespace bobbin
