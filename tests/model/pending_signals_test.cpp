// SPDX-License-Identifier: Apache-2.0
// Several threads send signals to a thread while it takes them.
#include "fiber/pending_signals.h"

#include <gtest/gtest.h>

#include "model/explore.h"

namespace bobbin::model {
namespace {

struct State {
  SignalStore store;
  PendingSignals noted;
  Atomic<int> added{0};
  int taken = 0;

  void send(int signal, int value) {
    siginfo_t info{};
    info.si_signo = signal;
    info.si_value.sival_int = value;
    if (noted.add(info, store)) added.fetch_add(value, relaxed);
  }
  bool take(SignalSet wanted) {
    siginfo_t info;
    if (!noted.take(wanted, info, store)) return false;
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

constexpr int kRealTime = 40;
constexpr int kOtherRealTime = 41;

// Each sender's signals of a number arrive in their order, and none is lost.
struct Queue {
  SignalStore store;
  PendingSignals noted;
  int last[2] = {};  // of each sender
  int taken = 0;

  void send(int signal, int sender, int value) {
    siginfo_t info{};
    info.si_signo = signal;
    info.si_value.sival_int = 10 * sender + value;
    MODEL_CHECK(noted.add(info, store));
  }
  bool take(SignalSet wanted) {
    siginfo_t info;
    if (!noted.take(wanted, info, store)) return false;
    const int sender = info.si_value.sival_int / 10;
    const int value = info.si_value.sival_int % 10;
    if (info.si_signo == kRealTime) {
      MODEL_CHECK(value == last[sender] + 1);
      last[sender] = value;
    }
    taken++;
    return true;
  }
};

TEST(ModelPendingSignals, RealTimeOnesAreTakenInTheirOrder) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    auto* s = make<Queue>();
    spawn([=] {
      s->send(kRealTime, 0, 1);
      s->send(kRealTime, 0, 2);
    });
    spawn([=] {
      s->send(kRealTime, 1, 1);
      s->send(kOtherRealTime, 1, 9);
    });
    s->take(bit_of_signal(kRealTime));
    s->take(~SignalSet{0});
    join_all();
    MODEL_CHECK(s->taken == 4 || s->noted.any_of(~SignalSet{0}));
    while (s->take(~SignalSet{0})) {
    }
    MODEL_CHECK(s->taken == 4 && s->last[0] == 2 && s->last[1] == 1);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// Entries are given back while others take them.
TEST(ModelPendingSignals, EntriesBelongToOne) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    auto* store = make<SignalStore>();
    auto use = [=](int value) {
      QueuedSignal* entry = store->take();
      MODEL_CHECK(entry != nullptr);
      entry->info.si_value.sival_int = value;
      fence(seq_cst);  // others may run here
      MODEL_CHECK(entry->info.si_value.sival_int == value);
      store->give(*entry);
    };
    spawn([=] { use(1); });
    use(2);
    use(3);
    join_all();
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
