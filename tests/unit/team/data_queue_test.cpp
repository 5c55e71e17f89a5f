// SPDX-License-Identifier: Apache-2.0
// Which item a queue by data returns next, and that none is lost or returned twice. All its users
// exclude each other by one lock, so there are no interleavings of a protocol to explore.
#include "team/queues/data_queue.h"
#include "team/queues/data_lists.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "team/queues/task_queue.h"

namespace bobbin {
namespace {

struct Item {
  char name = 0;
  std::atomic<int> takers{0};
};

constexpr auto kAny = [](Item*) { return true; };

// Data are small numbers, items letters.
class DataQueueTest : public ::testing::Test {
 protected:
  void push(char name, uintptr_t first, uintptr_t second = 0) {
    Item& item = items_[static_cast<unsigned char>(name)];
    item.name = name;
    ASSERT_TRUE(queue_.push(&item, {first, second}));
  }

  // Takes everything that is left, as a thread that follows no trail.
  std::string in_order(QueueEnd end = QueueEnd::Oldest) {
    std::string names;
    for (;;) {
      DataTrail none;
      Item* item = queue_.take(end, Taker::Thief, none, kAny);
      if (item == nullptr) return names;
      names += item->name;
    }
  }

  Item items_[256];
  DataQueue<Item> queue_;
};

TEST_F(DataQueueTest, ItemsOfTheSameDataLieTogether) {
  push('a', 1);
  push('b', 2);
  push('c', 3);
  push('d', 1);
  push('e', 2);
  push('f', 1);
  EXPECT_EQ(queue_.size(), 6);
  EXPECT_EQ(in_order(), "adfbec");
  EXPECT_EQ(queue_.size(), 0);
  EXPECT_EQ(queue_.stolen(), 6);
}

TEST_F(DataQueueTest, FromTheYoungEnd) {
  push('a', 1);
  push('b', 2);
  push('c', 1);
  EXPECT_EQ(in_order(QueueEnd::Youngest), "bca");
}

TEST_F(DataQueueTest, EitherNameLeadsThere) {
  push('a', 10, 1);
  push('b', 20, 2);
  push('c', 30, 1);  // found by the second name
  push('d', 20, 3);  // found by the first name
  push('e', 40, 30);
  push('f', 0);  // without names: it goes to the end
  EXPECT_EQ(in_order(), "acebdf");
}

TEST_F(DataQueueTest, ATrailIsFollowed) {
  for (char name : {'a', 'b', 'c', 'd', 'e', 'f'}) push(name, 1 + (name - 'a') % 3);
  DataTrail mine;
  DataTrail other;
  auto take = [this](DataTrail& trail, QueueEnd end) {
    Item* item = queue_.take(end, Taker::Owner, trail, kAny);
    return item != nullptr ? item->name : '-';
  };
  EXPECT_EQ(take(mine, QueueEnd::Oldest), 'a');
  EXPECT_EQ(take(other, QueueEnd::Youngest), 'f');
  EXPECT_EQ(take(mine, QueueEnd::Oldest), 'd');
  EXPECT_EQ(take(other, QueueEnd::Youngest), 'c');
  EXPECT_EQ(take(other, QueueEnd::Oldest), 'b');
  EXPECT_EQ(take(other, QueueEnd::Oldest), 'e');
  EXPECT_EQ(take(mine, QueueEnd::Oldest), '-');
  EXPECT_EQ(queue_.stolen(), 0);
}

TEST_F(DataQueueTest, ATrailIsLeftAfterAWhile) {
  push('a', 1);
  push('z', 2);
  DataTrail trail;
  ASSERT_EQ(queue_.take(QueueEnd::Oldest, Taker::Owner, trail, kAny)->name, 'a');
  unsigned followed = 0;
  for (;; followed++) {
    push('a', 1);
    if (queue_.take(QueueEnd::Oldest, Taker::Owner, trail, kAny)->name == 'z') break;
  }
  EXPECT_EQ(followed, DataQueue<Item>::kMostInARow);
}

TEST_F(DataQueueTest, OutOfTurnWhatFits) {
  for (char name = 'a'; name <= 'h'; name++) push(name, 1 + (name - 'a') % 2);
  DataTrail trail{{1, 0}, 0};
  auto only = [](char name) { return [name](Item* item) { return item->name == name; }; };
  EXPECT_EQ(queue_.take(QueueEnd::Oldest, Taker::Owner, trail, only('x')), nullptr);
  EXPECT_EQ(queue_.take(QueueEnd::Oldest, Taker::Owner, trail, only('c'))->name, 'c');
  EXPECT_EQ(queue_.take(QueueEnd::Youngest, Taker::Owner, trail, only('b'))->name, 'b');
  EXPECT_EQ(in_order(), "aegdfh");
}

TEST_F(DataQueueTest, ThousandsOfNames) {
  constexpr uintptr_t kNames = 5000;
  std::vector<Item> items(2 * kNames);
  for (uintptr_t i = 0; i < 2 * kNames; i++) {
    ASSERT_TRUE(queue_.push(&items[i], {64 * (i % kNames + 1), 0}));
  }
  EXPECT_EQ(queue_.size(), static_cast<int64_t>(2 * kNames));
  // A few names find no place in the table.
  uintptr_t together = 0;
  size_t before = 0;
  for (uintptr_t i = 0; i < 2 * kNames; i++) {
    DataTrail none;
    Item* item = queue_.take(QueueEnd::Oldest, Taker::Owner, none, kAny);
    ASSERT_NE(item, nullptr);
    size_t at = static_cast<size_t>(item - items.data());
    EXPECT_EQ(item->takers++, 0);
    if (at == before + kNames) together++;
    before = at;
  }
  EXPECT_GT(together, kNames / 10 * 9);
}

TEST_F(DataQueueTest, EachItemToOneTaker) {
  constexpr int kItems = 20000;
  std::vector<Item> items(kItems);
  std::atomic<int> taken{0};
  auto take = [&](QueueEnd end, Taker taker, DataTrail& trail) {
    Item* item = queue_.take(end, taker, trail, kAny);
    if (item == nullptr) return;
    EXPECT_EQ(item->takers++, 0);
    taken++;
  };
  std::vector<std::thread> thieves;
  thieves.reserve(3);
  for (int t = 0; t < 3; t++) {
    thieves.emplace_back([&, t] {
      DataTrail trail;
      while (taken < kItems) {
        take(t == 0 ? QueueEnd::Oldest : QueueEnd::Youngest, Taker::Thief, trail);
        std::this_thread::yield();
      }
    });
  }
  DataTrail trail;
  for (uintptr_t i = 0; i < kItems; i++) {
    ASSERT_TRUE(queue_.push(&items[i], {1 + i % 700, 10000 + i % 11}));
    if (i % 3 == 0) take(QueueEnd::Oldest, Taker::Owner, trail);
  }
  for (std::thread& thief : thieves) thief.join();
  EXPECT_EQ(taken, kItems);
  EXPECT_EQ(queue_.size(), 0);
}

// --- As the queue of a team's member.

TEST(TaskQueueByData, ItemsWithoutDataGoInTheDeque) {
  static TaskQueue<Item> queue;
  static Item items[4];
  static DataQueue<Item> list;
  queue.use(QueueKind::Data, &list);
  ASSERT_TRUE(queue.push(&items[0], DataNames{}));
  ASSERT_TRUE(queue.push(&items[1], DataNames{7, 0}));
  ASSERT_TRUE(queue.push(&items[2], DataNames{8, 0}));
  ASSERT_TRUE(queue.push(&items[3], DataNames{7, 0}));
  EXPECT_EQ(queue.deque().size(), 1);
  EXPECT_EQ(queue.size(), 4);
  queue.follow({8, 0});
  EXPECT_EQ(queue.take(QueueEnd::Oldest, kAny), &items[2]);
  static TaskQueue<Item> other;
  EXPECT_EQ(queue.steal(QueueEnd::Oldest, other, kAny), &items[1]);
  EXPECT_EQ(queue.take(QueueEnd::Oldest, kAny), &items[3]);
  EXPECT_EQ(queue.take(QueueEnd::Oldest, kAny), &items[0]);
  EXPECT_EQ(queue.stolen(), 1);
  queue.use(QueueKind::Deque);
  ASSERT_TRUE(queue.push(&items[0], DataNames{7, 0}));
  EXPECT_EQ(queue.deque().pop(), &items[0]);
}

// Owners below one cache take from one list, each along its own trail, and steal nothing from each
// other there.
TEST(TaskQueueByData, IsSharedBelowACache) {
  static DataLists<Item> lists;
  static TaskQueue<Item> near[2], far;
  static Item items[4];
  for (TaskQueue<Item>& queue : near) queue.use(QueueKind::Data, lists.of(3));
  far.use(QueueKind::Data, lists.of(4));
  EXPECT_NE(lists.of(3), lists.of(4));
  EXPECT_EQ(lists.of(3), lists.of(3 + DataLists<Item>::kMost));
  for (unsigned i = 0; i < 4; i++) ASSERT_TRUE(near[0].push(&items[i], DataNames{1 + i % 2, 0}));
  EXPECT_EQ(near[1].size(), 4);
  EXPECT_EQ(near[1].steal(QueueEnd::Oldest, near[0], kAny), nullptr);
  near[1].follow({2, 0});
  EXPECT_NE(near[1].take(QueueEnd::Oldest, kAny), near[0].take(QueueEnd::Oldest, kAny));
  EXPECT_EQ(near[0].stolen(), 0);
  EXPECT_NE(near[0].steal(QueueEnd::Oldest, far, kAny), nullptr);
  EXPECT_EQ(near[1].stolen(), 1);
  EXPECT_EQ(near[0].size(), 1);
}

}  // namespace
}  // namespace bobbin
