// SPDX-License-Identifier: Apache-2.0
// Parking, with the two rules that its comment demands of its users.
#include "sched/workers/park.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "model/explore.h"

namespace bobbin {

// No filter forbids the question.
uint64_t clock_ns_without_kernel(clockid_t) { std::abort(); }

}  // namespace bobbin

namespace bobbin::model {
namespace {

struct State {
  Parking parking;
  Atomic<int> announced{0};
  Atomic<int> work{0};
  Var<int> data{0};
};

enum class Fences { Both, SleeperOnly, WakerOnly };

// A worker announces itself, looks once more and parks. Two threads bring work, one item each.
Result sleeper_and_wakers(Fences fences, Options options) {
  return explore(options, [=] {
    auto* s = make<State>();
    spawn([=] {
      for (int done = 0; done < 2;) {
        s->announced.store(1, relaxed);
        if (fences != Fences::WakerOnly) bobbin::fence(seq_cst);
        if (s->work.load(acquire) == done) s->parking.park();
        s->announced.store(0, relaxed);
        done = s->work.load(acquire);
      }
    });
    for (int i = 0; i < 2; ++i) {
      spawn([=] {
        s->work.fetch_add(1, release);
        if (fences != Fences::SleeperOnly) bobbin::fence(seq_cst);
        if (s->announced.load(relaxed) == 1) s->parking.unpark();
      });
    }
    join_all();
  });
}

TEST(ModelPark, NoWakeUpIsLost) {
  Result result =
      sleeper_and_wakers(Fences::Both, {.preemptions = 3, .stale_reads = 2, .spurious_wakes = 1});
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelPark, BothFencesAreNeeded) {
  EXPECT_TRUE(sleeper_and_wakers(Fences::SleeperOnly, {}).failed);
  EXPECT_TRUE(sleeper_and_wakers(Fences::WakerOnly, {}).failed);
}

// A thread that parks and finds a token sees everything written before the token was left.
TEST(ModelPark, TokenCarriesData) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    auto* s = make<State>();
    spawn([=] {
      s->parking.park();
      MODEL_CHECK(s->data == 1);
    });
    spawn([=] {
      s->data = 1;
      s->parking.unpark();
    });
    join_all();
  });
  EXPECT_TRUE(result.passed()) << result;
}

// A timeout withdraws the announcement, and leaves no token behind.
TEST(ModelPark, TimedParkEnds) {
  Result result = explore({.preemptions = 2, .stale_reads = 2}, [] {
    auto* s = make<State>();
    spawn([=] {
      s->parking.park(1000);
      s->announced.store(1, seq_cst);
      if (s->work.load(seq_cst) == 0) s->parking.park();
      MODEL_CHECK(s->work.load(acquire) == 1);
    });
    spawn([=] {
      s->work.store(1, seq_cst);
      if (s->announced.load(seq_cst) == 1) s->parking.unpark();
    });
    join_all();
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
