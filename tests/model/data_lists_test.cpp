// SPDX-License-Identifier: Apache-2.0
// All interleavings, within bounds, of threads that ask for the list of their cache and use it.
#include "team/queues/data_lists.h"

#include <gtest/gtest.h>

#include "model/explore.h"

namespace bobbin::model {
namespace {

struct Item {
  Var<int> value{0};      // written before the push, read by the thread that gets the item
  Atomic<int> takers{0};  // no item may be taken twice
};

struct State {
  DataLists<Item> lists;
  Item items[2];
  Atomic<int> taken{0};

  void push(int i) {
    items[i].value = i + 1;
    MODEL_CHECK(lists.of(1)->push(&items[i], DataNames{7, 0}));
  }
  void take() {
    DataTrail trail;
    Item* item =
        lists.of(1)->take(QueueEnd::Oldest, Taker::Owner, trail, [](const Item*) { return true; });
    if (item == nullptr) return;
    MODEL_CHECK(item->value == item - items + 1);
    MODEL_CHECK(item->takers.fetch_add(1, relaxed) == 0);
    taken.fetch_add(1, relaxed);
  }
};

TEST(ModelDataLists, ThreadsBelowACacheHaveOneList) {
  const Result result = explore({.preemptions = 2, .stale_reads = 2}, [] {
    auto* s = make<State>();
    spawn([=] {
      s->push(0);
      s->take();
    });
    s->push(1);
    s->take();
    join_all();
    while (s->lists.of(1)->size() != 0) s->take();
    MODEL_CHECK(s->taken.load(relaxed) == 2);
    bobbin::destroy(s->lists.of(1));
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
