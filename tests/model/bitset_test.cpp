// SPDX-License-Identifier: Apache-2.0
#include "sched/queues/bitset.h"

#include <gtest/gtest.h>

#include "model/explore.h"

namespace bobbin::model {
namespace {

struct State {
  AtomicBitset<2> set;
  Var<int> owned[3];  // accessed by the owner of number 0, 1, or of the one in the second word
  static constexpr unsigned kNumbers[3] = {0, 1, 70};

  static int place(int number) { return number == 70 ? 2 : number; }
  void claimed(int number) {
    if (number >= 0) owned[place(number)] = owned[place(number)] + 1;
  }
};

TEST(ModelBitset, EachNumberHasOneOwner) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    auto* s = make<State>();
    auto* claims = make<Atomic<int>>(0);
    for (unsigned number : State::kNumbers) s->set.set(number);
    auto note = [=](int number) {
      s->claimed(number);
      if (number >= 0) claims->fetch_add(1, relaxed);
    };
    spawn([=] {
      note(s->set.claim_lowest());
      note(s->set.claim_lowest());
    });
    spawn([=] {
      note(s->set.claim_lowest());
      note(s->set.claim_lowest());
    });
    spawn([=] { note(s->set.claim(1) ? 1 : -1); });
    join_all();
    MODEL_CHECK(claims->load(relaxed) == 3 && !s->set.any());
    for (auto& count : s->owned) MODEL_CHECK(count == 1);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// A new owner sees what the previous owner wrote before set(), whatever other thread claims in the
// word.
TEST(ModelBitset, OwnershipPassesOn) {
  Result result = explore({.preemptions = 3, .stale_reads = 3}, [] {
    auto* s = make<State>();
    s->set.set(0);
    s->set.set(1);
    for (int i = 0; i < 2; ++i) {
      spawn([=] {
        int number = s->set.claim_lowest();
        s->claimed(number);
        if (number >= 0) MODEL_CHECK(s->set.set(static_cast<unsigned>(number)));
      });
    }
    spawn([=] {
      if (s->set.claim(0)) s->claimed(0);
    });
    join_all();
  });
  EXPECT_TRUE(result.passed()) << result;
}

// Announce and look against publish and look: the test needs the fences that bitset.h leaves to the
// caller.
Result idle_worker(bool with_fences) {
  return explore({.preemptions = 2, .stale_reads = 2}, [=] {
    struct Pool {
      AtomicBitset<1> idle;
      Atomic<int> work{0};
      bool sleeps = false;
      bool woken = false;
    };
    auto* p = make<Pool>();
    spawn([=] {
      p->idle.set(5);
      if (with_fences) bobbin::fence(seq_cst);
      p->sleeps = p->work.load(relaxed) == 0;
    });
    spawn([=] {
      p->work.store(1, relaxed);
      if (with_fences) bobbin::fence(seq_cst);
      p->woken = p->idle.any() && p->idle.claim_lowest() == 5;
    });
    join_all();
    MODEL_CHECK(!p->sleeps || p->woken);
  });
}

TEST(ModelBitset, CallerFencesBetweenSetAndLook) {
  EXPECT_TRUE(idle_worker(false).failed);
  Result result = idle_worker(true);
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
