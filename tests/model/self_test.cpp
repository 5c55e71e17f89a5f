// SPDX-License-Identifier: Apache-2.0
// Does the explorer find the bugs for which it is made, and accept correct code?
#include <gtest/gtest.h>

#include <string>

#include "model/explore.h"
#include "platform/atomic.h"
#include "platform/locks/futex.h"

namespace bobbin::model {
namespace {

Result sleeper(bool changes_word) {
  return explore({}, [=] {
    struct State {
      Atomic<std::uint32_t> flag{0};
      Atomic<std::uint32_t> word{0};
    };
    auto* s = make<State>();
    spawn([=] {
      std::uint32_t ticket = s->word.load(acquire);
      while (s->flag.load(acquire) == 0) {
        bobbin::futex_wait(s->word, ticket);
        ticket = s->word.load(acquire);
      }
    });
    spawn([=] {
      s->flag.store(1, release);
      if (changes_word) s->word.fetch_add(1, release);
      bobbin::futex_wake(s->word, 1);
    });
    join_all();
  });
}

TEST(ModelSelf, LostWakeUp) {
  Result lost = sleeper(false);
  EXPECT_TRUE(lost.failed);
  EXPECT_NE(lost.message.find("deadlock"), std::string::npos) << lost;
  Result kept = sleeper(true);
  EXPECT_TRUE(kept.passed()) << kept;
}

TEST(ModelSelf, TimedWaitEnds) {
  Result result = explore({}, [] {
    auto* word = make<Atomic<std::uint32_t>>(0u);
    spawn([=] { MODEL_CHECK(bobbin::futex_wait(*word, 0, 1000) == FutexResult::TimedOut); });
    join_all();
  });
  EXPECT_TRUE(result.passed()) << result;
}

// A Treiber stack whose pop reads `next` of a node that may have been popped and pushed again
// meanwhile.
struct Node {
  Atomic<Node*> next{nullptr};
};

struct Top {
  Node* node;
  std::uint64_t tag;
};

template <bool kTagged>
struct TreiberStack {
  Atomic<Top> top{Top{nullptr, 0}};

  void push(Node* node) {
    Top old = top.load(relaxed);
    do {
      node->next.store(old.node, relaxed);
    } while (!top.compare_exchange_weak(old, {node, old.tag + kTagged}, acq_rel, relaxed));
  }
  Node* pop() {
    Top old = top.load(acquire);
    while (old.node != nullptr) {
      Node* next = old.node->next.load(relaxed);
      if (top.compare_exchange_weak(old, {next, old.tag + kTagged}, acq_rel, acquire)) break;
    }
    return old.node;
  }
};

template <bool kTagged>
Result stack_reuse() {
  return explore({.preemptions = 2}, [] {
    struct State {
      TreiberStack<kTagged> stack;
      Node a, b;
      Atomic<int> owners_of_b{0};
    };
    auto* s = make<State>();
    s->stack.push(&s->b);
    s->stack.push(&s->a);
    auto take = [=] {
      Node* node = s->stack.pop();
      if (node == &s->b) MODEL_CHECK(s->owners_of_b.fetch_add(1, relaxed) == 0);
      return node;
    };
    spawn([=] { take(); });
    spawn([=] {
      Node* first = take();
      take();
      if (first == &s->a) s->stack.push(first);
    });
    join_all();
    take();
    take();
  });
}

TEST(ModelSelf, AbaInTreiberStack) {
  EXPECT_TRUE(stack_reuse<false>().failed);
  Result tagged = stack_reuse<true>();
  EXPECT_TRUE(tagged.passed()) << tagged;
}

TEST(ModelSelf, DataRace) {
  Result result = explore({}, [] {
    auto* data = make<Var<int>>(0);
    spawn([=] { *data = 1; });
    spawn([=] { *data = 2; });
    join_all();
  });
  EXPECT_TRUE(result.failed);
}

// An object is published by a relaxed store, so the reader may see it before its construction.
TEST(ModelSelf, UseBeforeConstruction) {
  auto publish = [](std::memory_order order) {
    return explore({}, [=] {
      auto* shared = make<Atomic<Atomic<int>*>>(nullptr);
      spawn([=] { shared->store(make<Atomic<int>>(7), order); });
      spawn([=] {
        Atomic<int>* object = shared->load(acquire);
        if (object != nullptr) MODEL_CHECK(object->load(relaxed) == 7);
      });
      join_all();
    });
  };
  EXPECT_TRUE(publish(relaxed).failed);
  Result released = publish(release);
  EXPECT_TRUE(released.passed()) << released;
}

TEST(ModelSelf, UseAfterFree) {
  Result result = explore({}, [] {
    auto* object = make<Atomic<int>>(0);
    auto* users = make<Atomic<int>>(2);
    auto body = [=] {
      users->fetch_sub(1, acq_rel);
      object->store(1, relaxed);  // too late: its reference has already been dropped
      if (users->load(acquire) == 0) deallocate(object, sizeof *object);
    };
    spawn(body);
    spawn(body);
    join_all();
  });
  EXPECT_TRUE(result.failed);
}

TEST(ModelSelf, Crash) {
  Result result = explore({}, [] {
    auto* shared = make<Atomic<int*>>(nullptr);
    static int object;
    spawn([=] { shared->store(&object, relaxed); });
    spawn([=] { *shared->load(relaxed) = 1; });
    join_all();
  });
  EXPECT_TRUE(result.failed);
}

TEST(ModelSelf, DeadlockOfTwoLocks) {
  Result result = explore({}, [] {
    struct State {
      Atomic<int> a{0}, b{0};
    };
    auto* s = make<State>();
    auto lock = [](Atomic<int>& one) {
      while (one.exchange(1, acquire) != 0) bobbin::cpu_pause();
    };
    spawn([=] {
      lock(s->a);
      lock(s->b);
      s->b.store(0, release);
      s->a.store(0, release);
    });
    spawn([=] {
      lock(s->b);
      lock(s->a);
      s->a.store(0, release);
      s->b.store(0, release);
    });
    join_all();
  });
  EXPECT_TRUE(result.failed) << result;
}

TEST(ModelSelf, SpinLockOfThreeThreads) {
  Result result = explore({.preemptions = 2}, [] {
    struct State {
      Atomic<int> lock{0};
      Var<int> count{0};
    };
    auto* s = make<State>();
    auto body = [=] {
      while (s->lock.exchange(1, acquire) != 0) {
        while (s->lock.load(relaxed) != 0) bobbin::cpu_pause();
      }
      s->count = s->count + 1;
      s->lock.store(0, release);
    };
    for (int i = 0; i < 3; ++i) spawn(body);
    join_all();
    MODEL_CHECK(s->count == 3);
  });
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelSelf, WaitForWhatNeverComes) {
  Result result = explore({}, [] {
    auto* flag = make<Atomic<int>>(0);
    spawn([=] {
      while (flag->load(acquire) == 0) bobbin::cpu_pause();
    });
    spawn([=] { flag->load(relaxed); });
    join_all();
  });
  EXPECT_TRUE(result.failed);
  EXPECT_NE(result.message.find("livelock"), std::string::npos) << result;
}

// A bounded wait must end when all other threads are blocked.
TEST(ModelSelf, BoundedSpinGoesOn) {
  Result result = explore({}, [] {
    auto* word = make<Atomic<std::uint32_t>>(0u);
    spawn([=] { bobbin::futex_wait(*word, 0); });
    spawn([=] {
      for (int i = 0; i < 3 && word->load(relaxed) == 0; ++i) bobbin::cpu_pause();
      word->store(1, release);
      bobbin::futex_wake(*word, 1);
    });
    join_all();
  });
  EXPECT_TRUE(result.passed()) << result;
}

// A bounded spin may also end while other threads could still make it succeed.
TEST(ModelSelf, BoundedSpinGivesUp) {
  auto gives_up = [](int impatience) {
    return explore({.impatience = impatience}, [] {
      auto* flag = make<Atomic<int>>(0);
      spawn([=] {
        for (int i = 0; i < 10 && flag->load(relaxed) == 0; ++i) bobbin::cpu_pause();
        MODEL_CHECK(flag->load(relaxed) == 1);
      });
      spawn([=] { flag->store(1, relaxed); });
      join_all();
    });
  };
  EXPECT_TRUE(gives_up(1).failed);
  // A loop without a bound must not count as one that gives up.
  Result patient = explore({.impatience = 2}, [] {
    auto* flag = make<Atomic<int>>(0);
    spawn([=] {
      while (flag->load(relaxed) == 0) bobbin::cpu_pause();
    });
    spawn([=] { flag->store(1, relaxed); });
    join_all();
  });
  EXPECT_TRUE(patient.passed()) << patient;
}

TEST(ModelSelf, DaemonsNeedNotEnd) {
  auto serve = [](bool answers) {
    return explore({}, [=] {
      auto* word = make<Atomic<std::uint32_t>>(0u);
      auto serves = [=] {
        for (std::uint32_t seen = 0;; seen = word->load(acquire)) {
          if (seen == 1 && answers) {
            word->store(2, release);
            bobbin::futex_wake(*word, 1);
          }
          bobbin::futex_wait(*word, seen == 1 ? 2 : seen);
        }
      };
      spawn(serves, Role::Daemon);
      spawn([=] {
        word->store(1, release);
        bobbin::futex_wake(*word, 1);
        while (word->load(acquire) == 1) bobbin::futex_wait(*word, 1);
      });
      join_all();
    });
  };
  Result answered = serve(true);
  EXPECT_TRUE(answered.passed()) << answered;
  EXPECT_TRUE(serve(false).failed);
}

TEST(ModelSelf, FailureReplays) {
  auto body = [] {
    struct State {
      Atomic<int> x{0};
    };
    auto* s = make<State>();
    auto increment = [=] { s->x.store(s->x.load(relaxed) + 1, relaxed); };
    spawn(increment);
    spawn(increment);
    join_all();
    MODEL_CHECK(s->x.load(relaxed) == 2);
  };
  Result found = explore({}, body);
  ASSERT_TRUE(found.failed);
  Result again = explore({.replay = found.schedule.c_str()}, body);
  EXPECT_TRUE(again.failed);
  EXPECT_EQ(again.executions, 1);
  EXPECT_EQ(again.message, found.message);
  EXPECT_EQ(again.trace, found.trace);
}

}  // namespace
}  // namespace bobbin::model
