// SPDX-License-Identifier: Apache-2.0
// Waiting on addresses, and the lock of programs' critical sections and omp_set_lock.
#include "construct/locks/lock.cpp"

#include <gtest/gtest.h>

#include "model/bare_threads.h"

namespace bobbin::model {
namespace {

struct State {
  Lock lock;
  Var<int> guarded{0};
  Atomic<uint32_t> word{0};
  Var<int> data{0};
};

void lock_and_add(State* s) {
  s->lock.lock();
  s->guarded = s->guarded + 1;
  s->lock.unlock();
}

TEST(ModelLock, ExcludesAndForgetsNobody) {
  Result result = explore({.preemptions = 1, .stale_reads = 1}, [] {
    make_threads(3);
    auto* s = make<State>();
    for (int i = 0; i < 3; i++) spawn([=] { lock_and_add(s); });
    join_all();
    MODEL_CHECK(s->guarded == 3);
    MODEL_CHECK(s->lock.try_lock());
  });
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelLock, CanBeTakenAgainAndAgain) {
  Result result = explore({.preemptions = 2, .stale_reads = 1}, [] {
    make_threads(2);
    auto* s = make<State>();
    for (int i = 0; i < 2; i++) {
      spawn([=] {
        lock_and_add(s);
        lock_and_add(s);
      });
    }
    join_all();
    MODEL_CHECK(s->guarded == 4);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// A thread that is overtaken again and again by another thread claims the lock, and the lock is
// handed over to it. Afterwards the lock works as before.
void lock_and_add_often(State* s) {
  for (int i = 0; i < 3; i++) lock_and_add(s);
}

TEST(ModelLock, IsHandedOverToWhoWasWokenInVain) {
  Result result = explore({.preemptions = 3, .stale_reads = 0}, [] {
    make_threads(2);
    auto* s = make<State>();
    spawn([=] { lock_and_add_often(s); });
    spawn([=] { lock_and_add(s); });
    join_all();
    MODEL_CHECK(s->guarded == 4);
    MODEL_CHECK(s->lock.try_lock());
  });
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelLock, ForgetsNobodyAfterAHandOver) {
  Result result = explore({.preemptions = 1, .stale_reads = 0}, [] {
    make_threads(3);
    auto* s = make<State>();
    spawn([=] { lock_and_add_often(s); });
    spawn([=] { lock_and_add(s); });
    spawn([=] { lock_and_add(s); });
    join_all();
    MODEL_CHECK(s->guarded == 5);
    MODEL_CHECK(s->lock.try_lock());
  });
  EXPECT_TRUE(result.passed()) << result;
}

// The two ways to wait.
using Wait = void (*)(State*, uint32_t wanted);

void in_the_table(State* s, uint32_t wanted) {
  auto not_yet = [=] { return s->word.load(acquire) < wanted; };
  while (not_yet()) wait_on(bobbin::self(), {&s->word, 0, wanted}, not_yet);
}

void at_the_word(State* s, uint32_t wanted) {
  wait_while(bobbin::self(), {&s->word, 0, wanted}, [=] { return s->word.load(acquire) < wanted; });
}

class ModelWaitOn : public testing::TestWithParam<Wait> {};
INSTANTIATE_TEST_SUITE_P(Both, ModelWaitOn, testing::Values(&in_the_table, &at_the_word));

TEST_P(ModelWaitOn, NoWakeUpIsLost) {
  Result result =
      explore({.preemptions = 3, .stale_reads = 2, .spurious_wakes = 1}, [wait = GetParam()] {
        make_threads(2);
        auto* s = make<State>();
        spawn([=] {
          wait(s, 1);
          MODEL_CHECK(s->data == 7);
        });
        spawn([=] {
          s->data = 7;
          s->word.store(1, release);
          wake_one({&s->word, 0, 1});
        });
        join_all();
      });
  EXPECT_TRUE(result.passed()) << result;
}

TEST_P(ModelWaitOn, TheWakersFenceIsNeeded) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [wait = GetParam()] {
    make_threads(2);
    auto* s = make<State>();
    spawn([=] { wait(s, 1); });
    spawn([=] {
      s->word.store(1, release);
      WaitKey key{&s->word, 0, 1};
      WaitBucket& bucket = wait_bucket(key);
      if (bucket.count.load(relaxed) != 0) wake_waiters(bucket, key, Match::Exactly, 1);
    });
    join_all();
  });
  EXPECT_TRUE(result.failed) << result;
}

// Two threads wait for different values of one word. Each is woken for its own value.
TEST_P(ModelWaitOn, WakesWhoWaitsForTheValue) {
  Result result = explore({.preemptions = 1, .stale_reads = 1}, [wait = GetParam()] {
    make_threads(3);
    auto* s = make<State>();
    spawn([=] { wait(s, 1); });
    spawn([=] { wait(s, 2); });
    spawn([=] {
      s->word.store(1, release);
      wake_up_to({&s->word, 0, 1});
      s->word.store(2, release);
      wake_up_to({&s->word, 0, 2});
    });
    join_all();
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
