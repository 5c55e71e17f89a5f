// SPDX-License-Identifier: Apache-2.0
// A record passes from one kernel thread to another while others send nudges. Each reason is seen
// at the latest after one more nudge, which the monitor sends at its next look.
#include "sched/workers/nudge_word.h"

#include <gtest/gtest.h>

#include "model/explore.h"

namespace bobbin::model {
namespace {

constexpr pid_t kFormer = 1;
constexpr pid_t kPresent = 2;

struct State {
  NudgeWord nudged;
  Relaxed<pid_t> kernel_thread = kFormer;
  Atomic<bool> pending[3];  // by kernel thread
  Atomic<int> reasons{0};
  Atomic<int> seen{0};

  void nudge() {
    const pid_t receiver = kernel_thread;
    if (nudged.is_for(receiver) || !nudged.announce(receiver)) return;
    pending[receiver].store(true, release);
  }
  void send() {
    reasons.fetch_add(1, relaxed);
    fence(seq_cst);
    nudge();
  }
  // By the kernel thread that has the record.
  void receive(pid_t self) {
    if (!pending[self].exchange(false, acquire)) return;
    nudged.arrived();
    seen.store(reasons.load(relaxed), relaxed);
  }
  // The former kernel thread stands by, and blocks nudges.
  void change_hands() {
    nudged.forget();
    kernel_thread = kPresent;
  }
};

TEST(ModelNudgeWord, NoReasonIsMissed) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    auto* s = make<State>();
    spawn([=] { s->send(); });
    spawn([=] { s->send(); });
    spawn([=] {
      s->receive(kFormer);
      s->change_hands();
      s->receive(kPresent);
    });
    join_all();
    s->nudge();
    s->receive(kPresent);
    MODEL_CHECK(s->seen.load(relaxed) == s->reasons.load(relaxed));
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
