// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "platform/atomic.h"

namespace bobbin {

// How many tasks are queued for the free agents of a contention group, and which of these agents
// sleep.
//
// Invariant: while a task is queued, one of these is true: an agent is awake and will look for
// tasks before it sleeps; a wake-up for an agent is under way; all agents execute tasks.
//   - A thread that queues a task counts it, executes a fence, and claims a sleeper to wake. An
//     agent announces that it sleeps, executes a fence (await() has it), and looks at the count. At
//     least one of them sees the other (Dekker).
//   - A wake-up may reach an agent that had already found another task. So an agent that takes a
//     task and leaves others claims one more sleeper.
// The bit of an agent is set by the agent alone. The thread that clears it resumes the agent; the
// agent clears it itself when it sleeps no more.
class PoolOffers {
 public:
  // A task has been queued. An agent to wake, or -1.
  int add() {
    queued_.fetch_add(1, relaxed);
    fence(seq_cst);
    return claim_sleeper();
  }
  void take() { queued_.fetch_sub(1, relaxed); }
  // A task may have been taken before it was counted.
  bool any() const { return queued_.load(relaxed) > 0; }
  int64_t count() const { return queued_.load(relaxed); }

  void announce(unsigned agent) { asleep_.fetch_or(bit(agent), release); }
  void withdraw(unsigned agent) {
    if ((asleep_.load(relaxed) & bit(agent)) != 0) asleep_.fetch_and(~bit(agent), acq_rel);
  }
  // In the child of a fork: no agent sleeps, and what is queued is counted anew.
  void go_on_alone() {
    queued_.store(0, relaxed);
    asleep_.store(0, relaxed);
  }
  int claim_sleeper() {
    uint64_t seen = asleep_.load(relaxed);
    while (seen != 0) {
      const uint64_t lowest = seen & -seen;
      seen = asleep_.fetch_and(~lowest, acq_rel);
      if ((seen & lowest) != 0) return std::countr_zero(lowest);
    }
    return -1;
  }

 private:
  static uint64_t bit(unsigned agent) { return uint64_t{1} << agent; }

  Atomic<int64_t> queued_{0};
  Atomic<uint64_t> asleep_{0};
};

}  // namespace bobbin
