// SPDX-License-Identifier: Apache-2.0
// Single-threaded behaviour, and stress with real threads; tests/model explores the interleavings.
#include "sched/queues/deque.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace bobbin {
namespace {

struct Item {
  int payload = 0;  // plain: the deque hands it over
  std::atomic<int> takers{0};
  std::atomic<int> kind{0};
};

TEST(Deque, OwnerLastInFirstOut) {
  Deque<Item> deque;
  std::vector<Item> items(1000);
  EXPECT_EQ(deque.pop(), nullptr);
  EXPECT_EQ(deque.take_oldest(), nullptr);
  for (Item& item : items) ASSERT_TRUE(deque.push(&item));
  EXPECT_EQ(deque.size(), 1000);
  for (int i = 999; i >= 0; --i) ASSERT_EQ(deque.pop(), &items[static_cast<std::size_t>(i)]);
  EXPECT_EQ(deque.pop(), nullptr);
  EXPECT_EQ(deque.size(), 0);
}

TEST(Deque, ThiefAndOldestFirstInFirstOut) {
  Deque<Item> deque;
  std::vector<Item> items(600);
  for (Item& item : items) ASSERT_TRUE(deque.push(&item));
  for (std::size_t i = 0; i < 600; i += 2) {
    Item* stolen = nullptr;
    ASSERT_EQ(deque.steal(stolen), Steal::Success);
    ASSERT_EQ(stolen, &items[i]);
    ASSERT_EQ(deque.take_oldest(), &items[i + 1]);
  }
  Item* stolen = nullptr;
  EXPECT_EQ(deque.steal(stolen), Steal::Empty);
  EXPECT_EQ(stolen, nullptr);
}

TEST(Deque, WhatItsOwnerTakesIsNotStolen) {
  Deque<Item> deque;
  Item items[5];
  auto any = [](Item* /*item*/) { return true; };
  ASSERT_TRUE(deque.push(&items[0]));
  EXPECT_EQ(deque.pop(), &items[0]);  // the last item, for which it competes with thieves
  for (Item& item : items) ASSERT_TRUE(deque.push(&item));
  EXPECT_EQ(deque.pop(), &items[4]);
  EXPECT_EQ(deque.take_oldest(), &items[0]);
  EXPECT_EQ(deque.take_oldest_if(any), &items[1]);
  EXPECT_EQ(deque.stolen(), 0);
  Item* stolen = nullptr;
  ASSERT_EQ(deque.steal(stolen), Steal::Success);
  EXPECT_EQ(deque.stolen(), 1);
  EXPECT_EQ(deque.pop(), &items[3]);
  EXPECT_EQ(deque.take_oldest_if(any), nullptr);
  EXPECT_EQ(deque.stolen(), 1);
}

TEST(Deque, StealIf) {
  Deque<Item> deque;
  Item items[3];
  for (Item& item : items) ASSERT_TRUE(deque.push(&item));
  items[0].kind = 1;
  auto wanted = [](Item* item) { return item->kind.load() == 1; };
  Item* stolen = nullptr;
  EXPECT_EQ(deque.steal_if(stolen, wanted), Steal::Success);
  EXPECT_EQ(stolen, &items[0]);
  EXPECT_EQ(deque.steal_if(stolen, wanted), Steal::Refused);
  EXPECT_EQ(deque.size(), 2);
}

TEST(Deque, IndicesWrapAroundTheArray) {
  Deque<Item, 4> deque;
  std::vector<Item> items(3);
  for (int lap = 0; lap < 100; ++lap) {
    for (Item& item : items) ASSERT_TRUE(deque.push(&item));
    EXPECT_EQ(deque.take_oldest(), &items[0]);
    EXPECT_EQ(deque.pop(), &items[2]);
    EXPECT_EQ(deque.take_oldest(), &items[1]);
    EXPECT_TRUE(deque.size() == 0);
  }
}

struct CountingHeap {
  static inline int blocks = 0;
  static inline int limit = 0;
  static void* allocate(std::size_t bytes) {
    if (blocks == limit) return nullptr;
    ++blocks;
    return std::malloc(bytes);
  }
  static void release(void* block, std::size_t /*bytes*/) {
    --blocks;
    std::free(block);
  }
};

TEST(Deque, PushFailsWithoutMemoryAndGoesOnAfter) {
  Item items[5];
  {
    Deque<Item, 2, CountingHeap> deque;
    EXPECT_FALSE(deque.push(&items[0]));
    CountingHeap::limit = 1;
    EXPECT_TRUE(deque.push(&items[0]));
    EXPECT_TRUE(deque.push(&items[1]));
    EXPECT_FALSE(deque.push(&items[2]));
    EXPECT_EQ(deque.size(), 2);
    EXPECT_EQ(deque.pop(), &items[1]);
    EXPECT_TRUE(deque.push(&items[2]));
    CountingHeap::limit = 2;
    EXPECT_TRUE(deque.push(&items[3]));
    for (std::size_t i : {0u, 2u, 3u}) EXPECT_EQ(deque.take_oldest(), &items[i]);
  }
  EXPECT_EQ(CountingHeap::blocks, 0);
}

// The owner pushes and pops in bursts while thieves steal. Each item must be taken exactly once,
// with the data written into it.
TEST(DequeStress, EveryItemOnce) {
  constexpr int kThieves = 3;
  constexpr int kBurst = 300;
  std::vector<Item> items(kBurst);
  Deque<Item, 4> deque;
  std::atomic<bool> stop{false};
  std::atomic<long> stolen_count{0};
  std::atomic<long> errors{0};
  auto got = [&](Item* item) {
    if (item->payload <= 0) ++errors;
    item->payload = 0;
    if (item->takers.fetch_add(1, std::memory_order_release) != 0) ++errors;
  };
  std::vector<std::thread> thieves;
  for (int i = 0; i < kThieves; ++i) {
    thieves.emplace_back([&, i] {
      while (!stop.load(std::memory_order_relaxed)) {
        Item* item = nullptr;
        Steal outcome = i == 0 ? deque.steal_if(item, [](Item* one) { return one->kind == 0; })
                               : deque.steal(item);
        if (outcome == Steal::Success) {
          got(item);
          stolen_count.fetch_add(1, std::memory_order_relaxed);
        }
        if (outcome == Steal::Empty) std::this_thread::yield();
      }
    });
  }
  long made = 0;
  auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1500);
  while (std::chrono::steady_clock::now() < end) {
    for (int i = 0; i < kBurst; ++i) {
      Item& item = items[static_cast<std::size_t>(i)];
      item.payload = i + 1;
      item.takers.store(0, std::memory_order_relaxed);
      item.kind.store(i % 3, std::memory_order_relaxed);
      ASSERT_TRUE(deque.push(&item));
      if (i % 7 == 0) {
        if (Item* oldest = deque.take_oldest()) got(oldest);
      }
      if (i % 5 == 0) {
        if (Item* youngest = deque.pop()) got(youngest);
      }
    }
    while (Item* item = deque.pop()) got(item);
    // Thieves may still be busy with the last items.
    for (Item& item : items) {
      while (item.takers.load(std::memory_order_acquire) == 0) std::this_thread::yield();
      if (item.takers.load(std::memory_order_relaxed) != 1) ++errors;
    }
    made += kBurst;
  }
  stop = true;
  for (std::thread& thief : thieves) thief.join();
  EXPECT_EQ(errors.load(), 0);
  EXPECT_GT(made, 0);
  RecordProperty("items", std::to_string(made));
  RecordProperty("stolen", std::to_string(stolen_count.load()));
}

}  // namespace
}  // namespace bobbin
