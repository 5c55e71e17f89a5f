// SPDX-License-Identifier: Apache-2.0
// Single-threaded behaviour, and stress with real threads; tests/model explores the interleavings.
#include "team/queues/bounded_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "team/queues/task_queue.h"

namespace bobbin {
namespace {

struct Item {
  int payload = 0;  // plain: the queue hands it over
  std::atomic<int> takers{0};
};

constexpr auto kAny = [](Item*) { return true; };

class BoundedQueueTest : public ::testing::TestWithParam<Takers> {
 protected:
  using Queue = BoundedQueue<Item, 8>;

  Item* take(QueueEnd end, Taker taker = Taker::Owner) {
    return queue_.take(end, taker, mine_, kAny);
  }

  Combining::Node first_;
  Combining::Node own_;
  Combining::Node* mine_ = &own_;
  Queue queue_{GetParam(), &first_};
  Item items_[9];
};

TEST_P(BoundedQueueTest, BothEnds) {
  for (int i = 0; i < 8; i++) ASSERT_TRUE(queue_.push(&items_[i]));
  EXPECT_FALSE(queue_.push(&items_[8]));
  EXPECT_EQ(queue_.size(), 8);
  EXPECT_EQ(take(QueueEnd::Oldest), &items_[0]);
  EXPECT_EQ(take(QueueEnd::Youngest), &items_[7]);
  EXPECT_EQ(take(QueueEnd::Oldest, Taker::Thief), &items_[1]);
  EXPECT_EQ(queue_.size(), 5);
  EXPECT_EQ(queue_.stolen(), 1);
  for (int i = 2; i < 7; i++) EXPECT_EQ(take(QueueEnd::Oldest), &items_[i]);
  EXPECT_EQ(take(QueueEnd::Oldest), nullptr);
}

TEST_P(BoundedQueueTest, TakesOutOfTurnWhatFits) {
  for (int i = 0; i < 8; i++) {
    items_[i].payload = i;
    ASSERT_TRUE(queue_.push(&items_[i]));
  }
  auto only = [&](QueueEnd end, int rest) {
    auto fits = [rest](Item* item) { return item->payload % 3 == rest; };
    return queue_.take(end, Taker::Thief, mine_, fits);
  };
  EXPECT_EQ(only(QueueEnd::Oldest, 2), &items_[2]);
  EXPECT_EQ(only(QueueEnd::Youngest, 2), &items_[5]);
  EXPECT_EQ(only(QueueEnd::Oldest, 2), nullptr);
  EXPECT_EQ(queue_.size(), 6);
  for (int i : {0, 1, 3, 4, 6, 7}) EXPECT_EQ(take(QueueEnd::Oldest), &items_[i]);
}

// An old item that is not taken yet must not fill the ring with the places of items taken above it.
TEST_P(BoundedQueueTest, OwnerGetsItsRoomBack) {
  ASSERT_TRUE(queue_.push(&items_[0]));
  for (int i = 0; i < 100; i++) {
    ASSERT_TRUE(queue_.push(&items_[1]));
    ASSERT_TRUE(queue_.push(&items_[2]));
    EXPECT_EQ(take(QueueEnd::Youngest, Taker::Thief), &items_[2]);
    EXPECT_EQ(take(QueueEnd::Youngest), &items_[1]);
  }
  EXPECT_EQ(take(QueueEnd::Oldest), &items_[0]);
  EXPECT_EQ(queue_.size(), 0);
}

TEST_P(BoundedQueueTest, HasAsManyPlacesAsItIsGiven) {
  for (const int places : {3, 8, 1}) {
    queue_.limit(places);
    for (int i = 0; i < places; i++) ASSERT_TRUE(queue_.push(&items_[i]));
    EXPECT_FALSE(queue_.push(&items_[8]));
    for (int i = 0; i < places; i++) EXPECT_EQ(take(QueueEnd::Oldest), &items_[i]);
  }
  queue_.limit(100);  // more than there are
  for (int i = 0; i < 8; i++) ASSERT_TRUE(queue_.push(&items_[i]));
  EXPECT_FALSE(queue_.push(&items_[8]));
}

TEST_P(BoundedQueueTest, EachItemOnceUnderStress) {
  constexpr int kItems = 100000;
  constexpr int kThieves = 3;
  auto shared = std::make_unique<BoundedQueue<Item, 64>>(GetParam(), &first_);
  std::vector<Item> items(kItems);
  std::vector<Combining::Node> nodes(kThieves);
  std::atomic<bool> over{false};
  std::atomic<long> sum{0};
  std::atomic<int> twice{0};
  auto got = [&](Item* item) {
    sum += item->payload;
    if (item->takers.fetch_add(1) != 0) twice++;
  };
  std::vector<std::thread> thieves;
  for (int t = 0; t < kThieves; t++) {
    thieves.emplace_back([&, t] {
      Combining::Node* mine = &nodes[static_cast<std::size_t>(t)];
      auto end = t == 0 ? QueueEnd::Youngest : QueueEnd::Oldest;
      while (!over.load()) {
        auto fits = [t](Item* item) { return t != 2 || item->payload % 2 == 0; };
        if (Item* item = shared->take(end, Taker::Thief, mine, fits)) {
          got(item);
        } else {
          std::this_thread::yield();
        }
      }
    });
  }
  long expected = 0;
  for (int i = 0; i < kItems; i++) {
    items[static_cast<std::size_t>(i)].payload = i;
    expected += i;
    while (!shared->push(&items[static_cast<std::size_t>(i)])) {
      if (Item* item = shared->take(QueueEnd::Oldest, Taker::Owner, mine_, kAny)) got(item);
    }
    if (i % 3 == 0) {
      if (Item* item = shared->take(QueueEnd::Youngest, Taker::Owner, mine_, kAny)) got(item);
    }
  }
  while (Item* item = shared->take(QueueEnd::Youngest, Taker::Owner, mine_, kAny)) got(item);
  over = true;
  for (auto& thief : thieves) thief.join();
  while (Item* item = shared->take(QueueEnd::Oldest, Taker::Owner, mine_, kAny)) got(item);
  EXPECT_EQ(sum.load(), expected);
  EXPECT_EQ(twice.load(), 0);
}

INSTANTIATE_TEST_SUITE_P(All, BoundedQueueTest, ::testing::Values(Takers::Combining, Takers::Lock),
                         [](const auto& one) {
                           return one.param == Takers::Lock ? "Lock" : "Combining";
                         });

// Queues live for ever, with all memory that they have allocated, and so must the pointers to them.
TaskQueue<Item>* lasting_queue() {
  static auto* queues = new std::vector<TaskQueue<Item>*>;
  return queues->emplace_back(make_lasting<TaskQueue<Item>>());
}

TEST(TaskQueue, WhatDoesNotFitGoesInTheDeque) {
  for (QueueKind kind : {QueueKind::Deque, QueueKind::Combining, QueueKind::Locked}) {
    TaskQueue<Item>* queue = lasting_queue();
    TaskQueue<Item>* thief = lasting_queue();
    queue->use(kind);
    std::vector<Item> items(kBoundedCapacity + 100);
    for (Item& item : items) ASSERT_TRUE(queue->push(&item));
    EXPECT_EQ(queue->size(), kBoundedCapacity + 100);
    EXPECT_EQ(queue->steal(QueueEnd::Oldest, *thief, kAny), &items.front());
    EXPECT_EQ(queue->stolen(), 1);
    long taken = 1;
    while (Item* item = queue->take(QueueEnd::Youngest, kAny)) {
      EXPECT_EQ(item->takers.fetch_add(1), 0);
      taken++;
    }
    EXPECT_EQ(taken, kBoundedCapacity + 100);
    EXPECT_EQ(queue->size(), 0);
    queue->use(QueueKind::Deque);
    ASSERT_TRUE(queue->push(&items[0]));
    EXPECT_EQ(queue->size_at_most(), 1);
    EXPECT_EQ(queue->take(QueueEnd::Oldest, kAny), &items[0]);
  }
}

// The size may change while the kind stays.
TEST(TaskQueue, TheDequeTakesOverAtTheGivenSize) {
  TaskQueue<Item>* queue = lasting_queue();
  for (const int places : {24, 5}) {
    queue->use(QueueKind::Combining, nullptr, places);
    std::vector<Item> items(30);
    for (Item& item : items) ASSERT_TRUE(queue->push(&item));
    EXPECT_EQ(queue->deque().size(), 30 - places);
    while (queue->take(QueueEnd::Oldest, kAny) != nullptr) {
    }
  }
}

TEST(TaskQueue, OldestFirstFallsBackOnTheYoungest) {
  TaskQueue<Item>* queue = lasting_queue();
  Item items[3];
  for (int i = 0; i < 3; i++) {
    items[i].payload = i;
    ASSERT_TRUE(queue->push(&items[i]));
  }
  auto later = [](Item* item) { return item->payload > 0; };
  EXPECT_EQ(queue->take(QueueEnd::Oldest, later), &items[2]);
}

}  // namespace
}  // namespace bobbin
