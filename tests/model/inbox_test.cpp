// SPDX-License-Identifier: Apache-2.0
#include "sched/queues/inbox.h"

#include <gtest/gtest.h>

#include "model/explore.h"

namespace bobbin::model {
namespace {

struct Item {
  Var<int> value{0};
  Var<Item*> next{nullptr};
};

struct State {
  Inbox<Item, &Item::next> inbox;
  Item items[4];
  Atomic<int> firsts{0};
  Var<int> sum{0};

  Pushed push(int i) {
    items[i].value = 1 << (4 * i);
    Pushed pushed = inbox.push(&items[i]);
    if (pushed == Pushed::First) firsts.fetch_add(1, relaxed);
    return pushed;
  }
  int total(Item* chain) {
    int sum_of_chain = 0;
    for (; chain != nullptr; chain = chain->next) sum_of_chain += chain->value;
    return sum_of_chain;
  }
};

TEST(ModelInbox, NothingIsLostAndOneIsFirst) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    auto* s = make<State>();
    spawn([=] {
      s->push(0);
      s->push(1);
    });
    spawn([=] {
      s->push(2);
      s->push(3);
    });
    int sum = 0;
    int takes = 0;
    for (int i = 0; i < 2; ++i) {
      if (Item* chain = s->inbox.take_all()) {
        sum += s->total(chain);
        ++takes;
      }
    }
    join_all();
    if (Item* chain = s->inbox.take_all()) {
      sum += s->total(chain);
      ++takes;
    }
    MODEL_CHECK(sum == 0x1111);
    MODEL_CHECK(s->firsts.load(relaxed) == takes);
  });
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelInbox, TakersShareNothing) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    auto* s = make<State>();
    auto* sums = make<Atomic<int>>(0);
    spawn([=] {
      s->push(0);
      s->push(1);
    });
    auto taker = [=] { sums->fetch_add(s->total(s->inbox.take_all()), relaxed); };
    spawn(taker);
    spawn(taker);
    join_all();
    taker();
    MODEL_CHECK(sums->load(relaxed) == 0x11);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// An item is pushed again at once after it was taken.
TEST(ModelInbox, ItemsAreReusedAtOnce) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    auto* s = make<State>();
    s->push(0);
    spawn([=] {
      Item* chain = s->inbox.take_all();
      while (chain != nullptr) {
        Item* next = chain->next;
        s->inbox.push(chain);
        chain = next;
      }
    });
    spawn([=] { s->push(1); });
    join_all();
    MODEL_CHECK(s->total(s->inbox.take_all()) == 0x11);
  });
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelInbox, FifoOrder) {
  Result result = explore({}, [] {
    auto* s = make<State>();
    for (int i = 0; i < 4; ++i) s->push(i);
    Item* item = s->inbox.take_all_fifo();
    for (int i = 0; i < 4; ++i, item = item->next) MODEL_CHECK(item == &s->items[i]);
    MODEL_CHECK(item == nullptr && s->inbox.empty());
  });
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelInbox, ChainStaysTogether) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    auto* s = make<State>();
    spawn([=] {
      for (int i = 0; i < 2; ++i) s->items[i].value = 1 << (4 * i);
      s->items[1].next = &s->items[0];
      s->inbox.push_chain(&s->items[1], &s->items[0]);
    });
    spawn([=] { s->push(2); });
    int sum = 0;
    auto take = [&] {
      for (Item* item = s->inbox.take_all(); item != nullptr; item = item->next) {
        sum += item->value;
        if (item == &s->items[1]) MODEL_CHECK(item->next == &s->items[0]);
      }
    };
    take();
    join_all();
    take();
    MODEL_CHECK(sum == 0x111);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// Registration with a predecessor against its completion: a refused thread sees everything before
// the closing. A thread that is not refused is in the closed chain.
TEST(ModelInbox, PushedOrRefused) {
  Result result = explore({.preemptions = 3, .stale_reads = 3}, [] {
    auto* s = make<State>();
    auto* refused = make<Atomic<int>>(0);
    for (int i = 0; i < 2; ++i) {
      spawn([=] {
        if (s->push(i) == Pushed::Closed) {
          MODEL_CHECK(s->sum == 7);
          refused->fetch_add(1 << (4 * i), relaxed);
        }
      });
    }
    s->sum = 7;
    int in_chain = s->total(s->inbox.close());
    join_all();
    MODEL_CHECK(in_chain + refused->load(relaxed) == 0x11);
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
