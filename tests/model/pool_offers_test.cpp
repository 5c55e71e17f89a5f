// SPDX-License-Identifier: Apache-2.0
// Free agents sleep, and are woken for the tasks that are queued for them.
#include "team/pool_offers.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "model/explore.h"
#include "sched/park.h"

namespace bobbin {

// No filter forbids the question.
uint64_t clock_ns_without_kernel(clockid_t) { std::abort(); }

}  // namespace bobbin

namespace bobbin::model {
namespace {

constexpr int kAgents = 2;

struct Case {
  PoolOffers offers;
  Parking parking[kAgents];
  Atomic<int> queued{0};
  Atomic<int> executed{0};

  void wake(int agent) {
    if (agent >= 0) parking[agent].unpark();
  }
  void queue_one() {
    queued.fetch_add(1, acq_rel);
    wake(offers.add());
  }
  bool take_one() {
    int seen = queued.load(relaxed);
    do {
      if (seen == 0) return false;
    } while (!queued.compare_exchange_weak(seen, seen - 1, acq_rel, relaxed));
    offers.take();
    return true;
  }
};

// What an agent whose task has begun does with the others.
enum class Leaves { Wakes, Forgets };

// Each task ends only when the other one has begun. So it takes two agents to execute both.
void serve(Case& c, unsigned agent, Leaves leaves) {
  for (;;) {
    if (c.take_one()) {
      if (leaves == Leaves::Wakes && c.offers.any()) c.wake(c.offers.claim_sleeper());
      c.executed.fetch_add(1, acq_rel);
      while (c.executed.load(acquire) < kAgents) bobbin::cpu_pause();
      return;
    }
    c.offers.announce(agent);
    bobbin::fence(seq_cst);
    if (!c.offers.any()) c.parking[agent].park();
    c.offers.withdraw(agent);
  }
}

Result two_tasks(Leaves leaves) {
  return explore({.preemptions = 3, .stale_reads = 2}, [=] {
    auto* c = make<Case>();
    for (unsigned agent = 0; agent < kAgents; agent++) {
      spawn([=] { serve(*c, agent, leaves); });
    }
    c->queue_one();
    c->queue_one();
    join_all();
    MODEL_CHECK(c->executed.load(relaxed) == kAgents);
  });
}

TEST(ModelPoolOffers, NoTaskIsForgotten) {
  const Result result = two_tasks(Leaves::Wakes);
  EXPECT_TRUE(result.passed()) << result;
}

// The wake-up for the second task may reach the agent that has just found the first one.
TEST(ModelPoolOffers, WhoLeavesATaskWakesAnotherAgent) {
  EXPECT_TRUE(two_tasks(Leaves::Forgets).failed);
}

}  // namespace
}  // namespace bobbin::model
