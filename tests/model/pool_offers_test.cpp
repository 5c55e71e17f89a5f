// SPDX-License-Identifier: Apache-2.0
// Free agents sleep, and are woken for the tasks that are queued for them.
#include "team/model/pool_offers.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "model/explore.h"
#include "sched/workers/park.h"

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

enum class Order { AnnouncesAndLooks, LooksAndAnnounces };

// Each task ends only when the other one has begun. So it takes two agents to execute both.
void serve(Case& c, unsigned agent, Order order) {
  while (!c.take_one()) {
    bobbin::cpu_pause();
    bool found = order == Order::LooksAndAnnounces && c.offers.any();
    c.offers.announce(agent);
    bobbin::fence(seq_cst);
    if (order == Order::AnnouncesAndLooks) found = c.offers.any();
    if (!found) c.parking[agent].park();
    c.offers.withdraw(agent);
  }
  c.executed.fetch_add(1, acq_rel);
  while (c.executed.load(acquire) < kAgents) bobbin::cpu_pause();
}

Result two_tasks(Order order, Options options) {
  return explore(options, [=] {
    auto* c = make<Case>();
    for (unsigned agent = 0; agent < kAgents; agent++) {
      spawn([=] { serve(*c, agent, order); });
    }
    c->queue_one();
    c->queue_one();
    join_all();
    MODEL_CHECK(c->executed.load(relaxed) == kAgents);
  });
}

TEST(ModelPoolOffers, NoTaskIsForgotten) {
  const Result result = two_tasks(Order::AnnouncesAndLooks, {.preemptions = 2, .stale_reads = 2});
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelPoolOffers, AnAgentAnnouncesItselfBeforeItLooks) {
  EXPECT_TRUE(two_tasks(Order::LooksAndAnnounces, {}).failed);
}

}  // namespace
}  // namespace bobbin::model
