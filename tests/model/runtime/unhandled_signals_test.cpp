// SPDX-License-Identifier: Apache-2.0
// Senders list the threads with signals, the monitor goes through the list, and workers visit the
// threads. None is forgotten, and none is on the list twice.
#include "sched/monitor/unhandled_signals.h"

#include <gtest/gtest.h>

#include "model/runtime/world.h"

namespace bobbin {

namespace model {
namespace {

constexpr int kSignal = 10;

struct State {
  Fiber fibers[2];
  SignalStore store;
  PendingSignals noted[2];
  Worker worker;
  Atomic<int> sent{0};
  Atomic<int> handled{0};

  State() {
    for (int i = 0; i < 2; ++i) fibers[i].signals.store(&noted[i], relaxed);
  }
  void send(int number) {
    siginfo_t info{};
    info.si_signo = kSignal;
    if (!noted[number].add(info, store)) return;
    sent.fetch_add(1, relaxed);
    fence(seq_cst);
    list_unhandled(fibers[number]);
  }
};

State* present;

}  // namespace
}  // namespace model

// As in team/members/visit.cpp, for a thread without a part in a region.
void visit(Fiber& fiber, Worker&) {
  siginfo_t info;
  while (fiber.signals.load(relaxed)->take(~SignalSet{0}, info, model::present->store)) {
    model::present->handled.fetch_add(1, relaxed);
  }
}

namespace model {
namespace {

TEST(ModelErrands, NoneIsForgotten) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    auto* s = present = make<State>();
    spawn([=] {
      s->send(0);
      s->send(0);
    });
    spawn([=] { s->send(1); });
    spawn([=] { handle_listed(s->worker); });
    sort_unhandled();
    join_all();
    while (any_unhandled()) handle_listed(s->worker);
    MODEL_CHECK(s->handled.load(relaxed) == s->sent.load(relaxed));
    for (const PendingSignals& noted : s->noted) MODEL_CHECK(!noted.listed.load(relaxed));
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace model
}  // namespace bobbin
