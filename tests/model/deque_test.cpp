// SPDX-License-Identifier: Apache-2.0
// All interleavings, within bounds, of small programs on the work-stealing deque.
#include "sched/queues/deque.h"

#include <gtest/gtest.h>

#include "model/explore.h"

namespace bobbin::model {
namespace {

struct Item {
  Var<int> value{0};      // written before the push, read by the thread that gets the item
  Atomic<int> takers{0};  // no item may be taken twice
  Atomic<int> kind{0};    // examined by predicates
};

struct ModelHeap {
  static void* allocate(std::size_t bytes) { return model::allocate(bytes); }
  static void release(void* block, std::size_t bytes) { model::deallocate(block, bytes); }
};

using SmallDeque = Deque<Item, 2, ModelHeap>;

constexpr int kItems = 4;

struct State {
  SmallDeque deque;
  Item items[kItems];
  Atomic<int> taken{0};

  void push(int i) {
    items[i].value = i + 1;
    MODEL_CHECK(deque.push(&items[i]));
  }
  void got(Item* item) {
    if (item == nullptr) return;
    MODEL_CHECK(item->value == item - items + 1);
    MODEL_CHECK(item->takers.fetch_add(1, relaxed) == 0);
    taken.fetch_add(1, relaxed);
  }
  Steal steal() {
    Item* item = nullptr;
    Steal result = deque.steal(item);
    MODEL_CHECK((result == Steal::Success) == (item != nullptr));
    got(item);
    return result;
  }
  void drain(int pushed) {
    while (Item* item = deque.pop()) got(item);
    MODEL_CHECK(taken.load(relaxed) == pushed);
    MODEL_CHECK(deque.size() == 0);
  }
};

template <class Owner>
Result against_thieves(Options options, int pushed, int thieves, int steals, Owner owner) {
  return explore(options, [=] {
    auto* s = make<State>();
    for (int i = 0; i < thieves; ++i) {
      spawn([=] {
        for (int k = 0; k < steals; ++k) s->steal();
      });
    }
    owner(*s);
    join_all();
    s->drain(pushed);
  });
}

TEST(ModelDeque, LastItem) {
  Result result = against_thieves({.preemptions = 3, .stale_reads = 3}, 1, 2, 1, [](State& s) {
    s.push(0);
    s.got(s.deque.pop());
  });
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelDeque, OwnerPopsWhileOneSteals) {
  Result result = against_thieves({.preemptions = 3, .stale_reads = 2}, 3, 1, 2, [](State& s) {
    s.push(0);
    s.push(1);
    s.got(s.deque.pop());
    s.push(2);
    s.got(s.deque.pop());
    s.got(s.deque.pop());
  });
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelDeque, OwnerPopsWhileTwoSteal) {
  Result result = against_thieves({.preemptions = 2, .stale_reads = 2}, 2, 2, 2, [](State& s) {
    s.push(0);
    s.push(1);
    s.got(s.deque.pop());
    s.got(s.deque.pop());
  });
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelDeque, GrowsWhileOneSteals) {
  Result result = against_thieves({.preemptions = 2, .stale_reads = 2}, 4, 1, 2, [](State& s) {
    for (int i = 0; i < 4; ++i) s.push(i);
    s.got(s.deque.pop());
  });
  EXPECT_TRUE(result.passed()) << result;
}

// The first item's slot is reused while a thief may still have read its old content.
TEST(ModelDeque, LapsTheArray) {
  Result result = against_thieves({.preemptions = 2, .stale_reads = 2}, 4, 1, 2, [](State& s) {
    s.push(0);
    s.push(1);
    s.got(s.deque.take_oldest());
    s.push(2);
    s.got(s.deque.take_oldest());
    s.push(3);
  });
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelDeque, OwnerTakesTheOldest) {
  Result result = against_thieves({.preemptions = 3, .stale_reads = 2}, 3, 2, 1, [](State& s) {
    s.push(0);
    s.push(1);
    s.got(s.deque.take_oldest());
    s.push(2);
    s.got(s.deque.pop());
  });
  EXPECT_TRUE(result.passed()) << result;
}

// There is only one thief: if its steal fails, the owner must have got the item.
TEST(ModelDeque, LostMeansSomebodyElseGotIt) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    auto* s = make<State>();
    s->push(0);
    s->push(1);
    auto* lost = make<int>(0);
    spawn([=] { *lost = s->steal() == Steal::Lost ? 1 : 0; });
    s->got(s->deque.pop());
    s->got(s->deque.pop());
    int by_owner = s->taken.load(relaxed);
    join_all();
    MODEL_CHECK(*lost == 0 || by_owner >= 1);
    s->drain(2);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// A thief that wants only items of one kind examines items that are recycled at the same time.
TEST(ModelDeque, StealIf) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    auto* s = make<State>();
    spawn([=] {
      Item* item = nullptr;
      Steal outcome =
          s->deque.steal_if(item, [](Item* one) { return one->kind.load(relaxed) == 1; });
      MODEL_CHECK((outcome == Steal::Success) == (item != nullptr));
      if (item != nullptr) MODEL_CHECK(item->kind.load(relaxed) == 1);
    });
    Item* item = &s->items[0];
    item->kind.store(1, relaxed);
    MODEL_CHECK(s->deque.push(item));
    if (s->deque.pop() == item) {
      item->kind.store(2, relaxed);  // the kind of its next use
      MODEL_CHECK(s->deque.push(item));
    }
    join_all();
  });
  EXPECT_TRUE(result.passed()) << result;
}

// A thief takes several items at once, while the owner pops, and pushes until the array grows.
TEST(ModelDeque, StealSome) {
  for (int popped : {0, 2, 3}) {
    Result result = explore({.preemptions = 3, .stale_reads = 2}, [=] {
      auto* s = make<State>();
      s->push(0);
      s->push(1);
      spawn([=] {
        Item* items[3];
        unsigned count = s->deque.steal_some(items, 3, [](Item*) { return true; });
        for (unsigned i = 0; i < count; i++) s->got(items[i]);
      });
      if (popped == 0) s->push(2);
      for (int i = 0; i < popped; i++) s->got(s->deque.pop());
      if (popped != 0) s->push(2);
      s->push(3);
      join_all();
      s->drain(4);
    });
    EXPECT_TRUE(result.passed()) << popped << result;
  }
}

// Two such thieves: neither gets an item that the other one has.
TEST(ModelDeque, StealSomeBesideAnotherThief) {
  Result result = explore({.preemptions = 2, .stale_reads = 1}, [] {
    auto* s = make<State>();
    for (int i = 0; i < 3; i++) s->push(i);
    for (int thief = 0; thief < 2; thief++) {
      spawn([=] {
        Item* items[2];
        unsigned count = s->deque.steal_some(items, 2, [](Item*) { return true; });
        for (unsigned i = 0; i < count; i++) s->got(items[i]);
      });
    }
    s->got(s->deque.pop());
    join_all();
    s->drain(3);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// An item that was taken before the array grew is not in the new array. There is nothing to look
// at.
TEST(ModelDeque, StealIfWhileItGrows) {
  Result result = explore({.preemptions = 2, .stale_reads = 2}, [] {
    auto* s = make<State>();
    spawn([=] {
      Item* item = nullptr;
      auto present = [](Item* one) {
        MODEL_CHECK(one != nullptr);
        return true;
      };
      s->deque.offers(present);
      s->deque.steal_if(item, present);
      s->got(item);
    });
    s->push(0);
    s->push(1);
    s->got(s->deque.take_oldest());
    s->push(2);
    s->push(3);
    join_all();
    s->drain(4);
  });
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelDeque, NoMemoryForALargerArray) {
  struct NoHeap {
    static void* allocate(std::size_t bytes) {
      return bytes > 2 * sizeof(Atomic<Item*>) + 16 ? nullptr : model::allocate(bytes);
    }
    static void release(void* block, std::size_t bytes) { model::deallocate(block, bytes); }
  };
  Result result = explore({}, [] {
    auto* items = make<Item>();
    auto* deque = make<Deque<Item, 2, NoHeap>>();
    MODEL_CHECK(deque->push(items));
    MODEL_CHECK(deque->push(items));
    MODEL_CHECK(!deque->push(items));
    MODEL_CHECK(deque->size() == 2);
    MODEL_CHECK(deque->take_oldest() == items);
    MODEL_CHECK(deque->push(items));
    MODEL_CHECK(deque->size() == 2);
    deque->~Deque();
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
