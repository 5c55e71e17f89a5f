// SPDX-License-Identifier: Apache-2.0
// Does the explorer implement the memory model, and does its search omit nothing?
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "model/explore.h"
#include "platform/atomic.h"
#include "platform/locks/futex.h"

namespace bobbin::model {
namespace {

// Store buffering, the core of Dekker's and Peterson's locks and of every protocol of the form
// "publish, then look for sleepers".
struct Orders {
  std::memory_order store;
  std::memory_order load;
  bool fence_left = false;
  bool fence_right = false;
};

Result store_buffering(Orders orders) {
  return explore({}, [=] {
    struct State {
      Atomic<int> x{0}, y{0};
      int left = -1, right = -1;
    };
    auto* s = make<State>();
    spawn([=] {
      s->x.store(1, orders.store);
      if (orders.fence_left) bobbin::fence(seq_cst);
      s->left = s->y.load(orders.load);
    });
    spawn([=] {
      s->y.store(1, orders.store);
      if (orders.fence_right) bobbin::fence(seq_cst);
      s->right = s->x.load(orders.load);
    });
    join_all();
    MODEL_CHECK(s->left == 1 || s->right == 1);
  });
}

TEST(ModelMemory, StoreBuffering) {
  EXPECT_TRUE(store_buffering({relaxed, relaxed}).failed);
  EXPECT_TRUE(store_buffering({release, acquire}).failed);
  EXPECT_TRUE(store_buffering({relaxed, relaxed, true, false}).failed);
  EXPECT_TRUE(store_buffering({relaxed, relaxed, false, true}).failed);
  EXPECT_TRUE(store_buffering({seq_cst, acquire}).failed);
  Result fences = store_buffering({relaxed, relaxed, true, true});
  EXPECT_TRUE(fences.passed()) << fences;
  Result operations = store_buffering({seq_cst, seq_cst});
  EXPECT_TRUE(operations.passed()) << operations;
}

enum class Publish { Store, Fence, Update, SecondStore };

Result message_passing(Publish how, std::memory_order store, std::memory_order load) {
  return explore({}, [=] {
    struct State {
      Var<int> data{0};
      Atomic<int> ready{0};
    };
    auto* s = make<State>();
    spawn([=] {
      s->data = 42;
      if (how == Publish::Fence) bobbin::fence(release);
      s->ready.store(1, store);
      if (how == Publish::SecondStore) s->ready.store(2, relaxed);
    });
    if (how == Publish::Update) spawn([=] { s->ready.fetch_add(2, relaxed); });
    spawn([=] {
      int least = how == Publish::SecondStore ? 2 : how == Publish::Update ? 3 : 1;
      if (s->ready.load(load) < least) return;
      if (how == Publish::Fence) bobbin::fence(acquire);
      MODEL_CHECK(s->data == 42);
    });
    join_all();
  });
}

TEST(ModelMemory, MessagePassing) {
  Result good = message_passing(Publish::Store, release, acquire);
  EXPECT_TRUE(good.passed()) << good;
  EXPECT_TRUE(message_passing(Publish::Store, relaxed, acquire).failed);
  EXPECT_TRUE(message_passing(Publish::Store, release, relaxed).failed);
  EXPECT_NE(message_passing(Publish::Store, relaxed, acquire).message.find("data race"),
            std::string::npos);
  Result fences = message_passing(Publish::Fence, relaxed, relaxed);
  EXPECT_TRUE(fences.passed()) << fences;
  // A release sequence continues through another thread's read-modify-write, even a relaxed one.
  // Since C++20 it does not continue through the same thread's plain store.
  Result sequence = message_passing(Publish::Update, release, acquire);
  EXPECT_TRUE(sequence.passed()) << sequence;
  EXPECT_TRUE(message_passing(Publish::SecondStore, release, acquire).failed);
}

TEST(ModelMemory, ReadsAreCoherent) {
  Result result = explore({.stale_reads = 4}, [] {
    struct State {
      Atomic<int> x{0};
      Var<int> dummy{0};
    };
    auto* s = make<State>();
    spawn([=] {
      s->x.store(1, relaxed);
      s->x.store(2, relaxed);
    });
    spawn([=] {
      int first = s->x.load(relaxed);
      int second = s->x.load(relaxed);
      MODEL_CHECK(first <= second);
    });
    join_all();
    MODEL_CHECK(s->x.load(relaxed) == 2);
  });
  EXPECT_TRUE(result.passed()) << result;
}

Result independent_reads(std::memory_order store, std::memory_order load) {
  return explore({.preemptions = 3}, [=] {
    struct State {
      Atomic<int> x{0}, y{0};
      int seen[4] = {};
    };
    auto* s = make<State>();
    spawn([=] { s->x.store(1, store); });
    spawn([=] { s->y.store(1, store); });
    spawn([=] {
      s->seen[0] = s->x.load(load);
      s->seen[1] = s->y.load(load);
    });
    spawn([=] {
      s->seen[2] = s->y.load(load);
      s->seen[3] = s->x.load(load);
    });
    join_all();
    const int* seen = s->seen;
    MODEL_CHECK(!(seen[0] == 1 && seen[1] == 0 && seen[2] == 1 && seen[3] == 0));
  });
}

TEST(ModelMemory, IndependentReadsOfIndependentWrites) {
  EXPECT_TRUE(independent_reads(release, acquire).failed);
  Result result = independent_reads(seq_cst, seq_cst);
  EXPECT_TRUE(result.passed()) << result;
}

// Two threads of n operations each have as many schedules as a set of 2n elements has subsets of n.

TEST(ModelMemory, ExploresEverySchedule) {
  auto schedules = [](int operations) {
    static std::set<std::string> seen;
    static std::string order;
    seen.clear();
    Result result = explore({.preemptions = 20, .stale_reads = 0, .prune = false}, [=] {
      order.clear();
      auto* x = make<Atomic<int>>(0);
      auto body = [=] {
        for (int i = 0; i < operations; ++i) {
          x->fetch_add(1, relaxed);
          order += static_cast<char>('0' + self());
        }
      };
      spawn(body);
      spawn(body);
      join_all();
      seen.insert(order);
    });
    EXPECT_TRUE(result.passed()) << result;
    return seen.size();
  };
  EXPECT_EQ(schedules(2), 6u);
  EXPECT_EQ(schedules(3), 20u);
  EXPECT_EQ(schedules(4), 70u);
}

// The set of outcomes is the same with and without pruning.
TEST(ModelMemory, PruningLosesNoOutcome) {
  auto outcomes = [](bool prune) {
    static unsigned long long seen[4];
    for (auto& word : seen) word = 0;
    Result result = explore({.preemptions = 4, .stale_reads = 2, .prune = prune}, [] {
      struct State {
        Atomic<int> x{0}, y{0};
        int r[4] = {};
      };
      auto* s = make<State>();
      spawn([=] {
        s->x.store(1, relaxed);
        s->r[0] = s->y.load(relaxed);
        s->r[1] = s->x.exchange(2, acq_rel);
      });
      spawn([=] {
        s->y.store(1, release);
        s->r[2] = s->x.load(acquire);
        s->r[3] = s->y.fetch_add(1, relaxed);
      });
      spawn([=] { s->y.store(3, relaxed); });
      join_all();
      int key = s->r[0] + 4 * s->r[1] + 16 * s->r[2] + 64 * s->r[3];
      seen[key / 64] |= 1ull << (key % 64);
    });
    EXPECT_TRUE(result.passed()) << result;
    std::string all;
    for (auto word : seen) all += std::to_string(word) + " ";
    return all;
  };
  EXPECT_EQ(outcomes(true), outcomes(false));
}

}  // namespace
}  // namespace bobbin::model
