// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "platform/atomic.h"

namespace bobbin {

// How many tasks are queued for the free agents of a contention group, and which of these agents
// sleep.
//
// Invariant: while a task is queued, no agent sleeps for which no wake-up is under way, unless as
// many others as there are tasks will look for tasks.
//   - A thread that queues a task counts it, executes a fence, and claims a sleeper to wake. An
//     agent announces that it sleeps, executes a fence (await() has it), and looks at the count. At
//     least one of them sees the other (Dekker). So an agent sleeps only if all tasks that were
//     counted before it announced itself have been taken, and each later one claims a sleeper.
//   - The claimed agent may be awake, because it has seen another task. Whoever counted that one
//     had claimed another agent, or none was asleep. So each task has an agent of its own that
//     looks after the task has been queued, or all agents are awake.
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
  // A task may be taken before it is counted, and is counted a moment longer than it is queued. So
  // an agent that finds none pauses and looks again.
  bool any() const { return queued_.load(relaxed) > 0; }

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
