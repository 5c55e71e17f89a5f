// SPDX-License-Identifier: Apache-2.0
// A thread never keeps a permit whose condition another thread has made false.
#include "fiber/permit.h"

#include <gtest/gtest.h>

#include "model/explore.h"
#include "sched/queues/deque.h"

namespace bobbin::model {
namespace {

const char* const kStack = reinterpret_cast<const char*>(0x1000);

struct State {
  Permit permit;
  Atomic<int> cancelled{0};

  bool fine() const { return cancelled.load(relaxed) == 0; }
  void ask() {
    if (fine()) permit.give(kStack, [this] { return fine(); });
  }
  void cancel() {
    cancelled.store(1, relaxed);
    permit.withdraw_from_outside();
  }
  // By a thread for which all of it has happened.
  void expect_exact() { MODEL_CHECK(!permit.holds_at(kStack) || fine()); }
};

TEST(ModelPermit, WhoeverCancelsWithdrawsIt) {
  Result result = explore({}, [] {
    auto* s = make<State>();
    spawn([=] {
      s->ask();
      s->permit.withdraw();  // it executes another task meanwhile
      s->ask();
    });
    spawn([=] { s->cancel(); });
    join_all();
    s->expect_exact();
  });
  EXPECT_TRUE(result.passed()) << result;
}

// Without the second look, or without the fence before the store, it would outlive its condition.
TEST(ModelPermit, BothFencesAreNeeded) {
  for (bool owner_looks_again : {true, false}) {
    Result result = explore({}, [=] {
      auto* s = make<State>();
      spawn([=] {
        if (s->fine()) s->permit.give(kStack, [=] { return !owner_looks_again || s->fine(); });
      });
      spawn([=] {
        if (owner_looks_again) {
          s->permit.withdraw();  // before the condition is false
          s->cancelled.store(1, relaxed);
        } else {
          s->cancel();
        }
      });
      join_all();
      s->expect_exact();
    });
    EXPECT_FALSE(result.passed());
  }
}

struct Item {
  Atomic<int> kind{0};
};
struct ModelHeap {
  static void* allocate(std::size_t bytes) { return model::allocate(bytes); }
  static void release(void* block, std::size_t bytes) { model::deallocate(block, bytes); }
};

// The owner keeps one item for thieves: while it has the permit, it does not look.
TEST(ModelPermit, AThiefAsksForMore) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    struct Owner {
      Deque<Item, 2, ModelHeap> deque;
      Item items[3];
      Permit permit;
      int pushed = 0;

      bool enough() const { return deque.size_at_most() >= 1; }
      // Meets a task construct.
      void make_task() {
        if (permit.holds_at(kStack)) return;
        if (enough()) {
          permit.give(kStack, [this] { return enough(); });
        } else {
          MODEL_CHECK(deque.push(&items[pushed++]));
        }
      }
    };
    auto* s = make<Owner>();
    spawn([=] {
      for (int i = 0; i < 4; i++) s->make_task();
    });
    spawn([=] {
      Item* item = nullptr;
      if (s->deque.steal(item) == Steal::Success) s->permit.withdraw_from_outside();
    });
    join_all();
    MODEL_CHECK(!s->permit.holds_at(kStack) || s->enough());
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
