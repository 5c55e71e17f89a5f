// SPDX-License-Identifier: Apache-2.0
#include "platform/loader/loader_questions.h"

#include <gtest/gtest.h>

#include "model/explore.h"

namespace bobbin::model {
namespace {

struct State {
  LoaderQuestions questions;
  SpinLock loader;  // the lock of dl_iterate_phdr
  Var<int> answers{0};

  void ask() {
    questions.begin();
    loader.lock();
    answers = answers + 1;
    loader.unlock();
    questions.end();
  }
  // In a callback of the program.
  void ask_with_lock() {
    loader.lock();
    questions.begin();
    answers = answers + 1;
    questions.end();
    loader.unlock();
  }
  // The child would get the loader's lock in its present state. It must not find any other state
  // changed either.
  void fork() {
    questions.close();
    MODEL_CHECK(loader.try_lock());
    answers = answers + 1;
    loader.unlock();
    questions.open();
  }
};

constexpr Options kBounds{.preemptions = 3, .stale_reads = 1, .spurious_wakes = 1};

TEST(ModelLoaderQuestions, NoneIsOnItsWayAtAFork) {
  Result result = explore(kBounds, [] {
    auto* s = make<State>();
    for (int i = 0; i < 2; i++) spawn([=] { s->ask(); });
    spawn([=] { s->fork(); });
    join_all();
    MODEL_CHECK(s->answers == 3);
  });
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelLoaderQuestions, TwoFork) {
  Result result = explore(kBounds, [] {
    auto* s = make<State>();
    spawn([=] { s->ask(); });
    for (int i = 0; i < 2; i++) spawn([=] { s->fork(); });
    join_all();
    MODEL_CHECK(s->answers == 3);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// While one thread waits for the loader, the thread that holds the loader's lock asks, and a third
// one forks. Such a fork may leave a child in which that lock is held. That is the program's own
// fault.
TEST(ModelLoaderQuestions, WhoHasTheLockMayAsk) {
  Result result = explore(kBounds, [] {
    auto* s = make<State>();
    spawn([=] { s->ask(); });
    spawn([=] { s->ask_with_lock(); });
    spawn([=] {
      s->questions.close();
      s->questions.open();
    });
    join_all();
    MODEL_CHECK(s->answers == 2);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// The thread with the lock may fork itself. It waits in vain for the threads that wait for the
// lock. These continue afterwards, and the next fork waits for them.
TEST(ModelLoaderQuestions, WhoHasTheLockMayFork) {
  Result result = explore(kBounds, [] {
    auto* s = make<State>();
    spawn([=] { s->ask(); });
    spawn([=] {
      s->loader.lock();
      s->questions.close();
      s->questions.open();
      s->loader.unlock();
      s->fork();
    });
    join_all();
    MODEL_CHECK(s->answers == 2);
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
