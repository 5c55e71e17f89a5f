// SPDX-License-Identifier: Apache-2.0
// All interleavings, within bounds, of small programs on the bounded queues.
#include "team/queues/bounded_queue.h"

#include <gtest/gtest.h>

#include "model/explore.h"

namespace bobbin::model {
namespace {

struct Item {
  Var<int> value{0};      // written before the push, read by the thread that gets the item
  Atomic<int> takers{0};  // no item may be taken twice
};

constexpr int kItems = 4;

struct State {
  explicit State(Takers exclusion) : queue(exclusion, &first) {}

  Combining::Node first;
  Combining::Node nodes[3];
  BoundedQueue<Item, 2> queue;
  Item items[kItems];
  Atomic<int> taken{0};

  bool push(int i) {
    items[i].value = i + 1;
    return queue.push(&items[i]);
  }
  // At first `node` is the thread's number.
  Item* take(Combining::Node*& node, QueueEnd end, Taker taker, int at_least = 0) {
    auto fits = [=](Item* item) { return item->value > at_least; };
    Item* item = queue.take(end, taker, node, fits);
    if (item == nullptr) return nullptr;
    MODEL_CHECK(item->value == item - items + 1);
    MODEL_CHECK(item->takers.fetch_add(1, relaxed) == 0);
    taken.fetch_add(1, relaxed);
    return item;
  }
};

class ModelBoundedQueue : public ::testing::TestWithParam<Takers> {
 protected:
  template <class Owner>
  Result against_thieves(Options options, int thieves, int takes, QueueEnd end, Owner owner) {
    Takers exclusion = GetParam();
    return explore(options, [=] {
      auto* s = make<State>(exclusion);
      for (int t = 1; t <= thieves; t++) {
        spawn([=] {
          Combining::Node* mine = &s->nodes[t];
          for (int k = 0; k < takes; k++) s->take(mine, end, Taker::Thief);
        });
      }
      Combining::Node* mine = &s->nodes[0];
      int pushed = owner(*s, mine);
      join_all();
      while (s->take(mine, QueueEnd::Youngest, Taker::Owner) != nullptr) {
      }
      MODEL_CHECK(s->taken.load(relaxed) == pushed);
      MODEL_CHECK(s->queue.size() == 0);
    });
  }
};

TEST_P(ModelBoundedQueue, LastItem) {
  Result result = against_thieves({.preemptions = 2, .stale_reads = 2}, 1, 1, QueueEnd::Oldest,
                                  [](State& s, Combining::Node*& mine) {
                                    MODEL_CHECK(s.push(0));
                                    s.take(mine, QueueEnd::Oldest, Taker::Owner);
                                    return 1;
                                  });
  EXPECT_TRUE(result.passed()) << result;
}

// Two thieves and the owner ask at the same time: one serves, the others wait, one takes over.
TEST_P(ModelBoundedQueue, ThreeTakers) {
  Result result = against_thieves({.preemptions = 2, .stale_reads = 1}, 2, 1, QueueEnd::Oldest,
                                  [](State& s, Combining::Node*& mine) {
                                    MODEL_CHECK(s.push(0));
                                    MODEL_CHECK(s.push(1));
                                    s.take(mine, QueueEnd::Youngest, Taker::Owner);
                                    return 2;
                                  });
  EXPECT_TRUE(result.passed()) << result;
}

// A slot is reused as soon as the item of the previous lap has left it.
TEST_P(ModelBoundedQueue, Laps) {
  Result result = against_thieves({.preemptions = 2, .stale_reads = 2}, 1, 2, QueueEnd::Oldest,
                                  [](State& s, Combining::Node*& /*mine*/) {
                                    int pushed = 0;
                                    for (int i = 0; i < 4; i++) pushed += s.push(i) ? 1 : 0;
                                    return pushed;
                                  });
  EXPECT_TRUE(result.passed()) << result;
}

// Holes at the young end: a thief makes them, the owner's request returns them, and they are filled
// again.
TEST_P(ModelBoundedQueue, OwnerTakesRoomBack) {
  Result result = against_thieves({.preemptions = 2, .stale_reads = 2}, 1, 1, QueueEnd::Youngest,
                                  [](State& s, Combining::Node*& mine) {
                                    MODEL_CHECK(s.push(0));
                                    MODEL_CHECK(s.push(1));
                                    s.take(mine, QueueEnd::Youngest, Taker::Owner);
                                    int pushed = 2;
                                    pushed += s.push(2) ? 1 : 0;
                                    s.take(mine, QueueEnd::Youngest, Taker::Owner);
                                    return pushed;
                                  });
  EXPECT_TRUE(result.passed()) << result;
}

// Items that the asker does not accept are left for others, whichever thread looks on its behalf.
TEST_P(ModelBoundedQueue, PredicateOfTheAsker) {
  Takers exclusion = GetParam();
  Result result = explore({.preemptions = 2, .stale_reads = 1}, [=] {
    auto* s = make<State>(exclusion);
    MODEL_CHECK(s->push(0));
    MODEL_CHECK(s->push(1));
    spawn([=] {
      Combining::Node* mine = &s->nodes[1];
      MODEL_CHECK(s->take(mine, QueueEnd::Oldest, Taker::Thief, 1) == &s->items[1]);
    });
    Combining::Node* mine = &s->nodes[0];
    MODEL_CHECK(s->take(mine, QueueEnd::Oldest, Taker::Owner) == &s->items[0]);
    join_all();
    MODEL_CHECK(s->queue.size() == 0);
  });
  EXPECT_TRUE(result.passed()) << result;
}

INSTANTIATE_TEST_SUITE_P(All, ModelBoundedQueue, ::testing::Values(Takers::Combining, Takers::Lock),
                         [](const auto& one) {
                           return one.param == Takers::Lock ? "Lock" : "Combining";
                         });

}  // namespace
}  // namespace bobbin::model
