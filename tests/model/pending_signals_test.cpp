// SPDX-License-Identifier: Apache-2.0
// Several threads send signals to a thread while it takes them.
#include "fiber/pending_signals.h"

#include <gtest/gtest.h>

#include "model/explore.h"

namespace bobbin::model {
namespace {

struct State {
  PendingSignals noted;
  Atomic<int> added{0};
  int taken = 0;

  void send(int signal, int value) {
    siginfo_t info{};
    info.si_signo = signal;
    info.si_value.sival_int = value;
    if (noted.add(info)) added.fetch_add(value, relaxed);
  }
  bool take(SignalSet wanted) {
    siginfo_t info;
    if (!noted.take(wanted, info)) return false;
    const int value = info.si_value.sival_int;
    MODEL_CHECK((wanted & bit_of_signal(info.si_signo)) != 0 && (taken & value) == 0);
    taken += value;
    return true;
  }
};

constexpr int kOne = 10;
constexpr int kOther = 12;

TEST(ModelPendingSignals, WhatIsAddedIsTakenOnce) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    auto* s = make<State>();
    spawn([=] {
      s->send(kOne, 1);
      s->send(kOther, 2);
    });
    spawn([=] { s->send(kOne, 4); });
    s->take(bit_of_signal(kOne));
    s->take(~SignalSet{0});
    join_all();
    while (s->take(~SignalSet{0})) {
    }
    MODEL_CHECK(s->taken == s->added.load(relaxed) && (s->taken & 2) != 0);
    // Each number has room again.
    s->send(kOne, 8);
    MODEL_CHECK(s->take(bit_of_signal(kOne)));
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
