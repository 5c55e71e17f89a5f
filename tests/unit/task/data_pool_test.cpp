// SPDX-License-Identifier: Apache-2.0
#include "task/memory/data_pool.h"

#include <gtest/gtest.h>

#include <cstring>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "task/memory/task_data.h"
#include "task/memory/task_pool.h"

namespace bobbin {
namespace {

constexpr size_t kLarge = 64 << 10;

// Workers live as long as the process, and so do their pools.
Worker& make_worker() {
  static std::mutex lock;
  static auto* workers = new std::vector<Worker*>;
  std::lock_guard guard(lock);
  workers->push_back(new Worker);
  return *workers->back();
}

DataPool& pool_of(Worker& worker) { return task_pool_of(worker)->data; }

TEST(DataPool, SizesFit) {
  size_t before = 0;
  for (size_t bytes = 1; bytes <= kLargestPooledData; bytes++) {
    const unsigned size_class = DataPool::class_of(bytes);
    ASSERT_LT(size_class, DataPool::kClasses);
    const size_t room = DataPool::bytes_of(size_class);
    ASSERT_GE(room, bytes);
    ASSERT_GE(room, before);
    if (bytes > DataPool::kSmallest) {
      ASSERT_LE(room, bytes + bytes / 4);
    }
    if (size_class > 0) {
      ASSERT_LT(DataPool::bytes_of(size_class - 1), bytes);
    }
    before = room;
  }
}

// Done twice, so that memory with a different alignment is reused the second time.
TEST(DataPool, BlocksAreApartAndAligned) {
  Worker& worker = make_worker();
  for (int round = 0; round < 2; round++) {
    std::vector<std::pair<char*, size_t>> blocks;
    size_t alignment = round == 0 ? 1 : 4096;
    for (size_t bytes = 1000; bytes < 3 * kLarge; bytes += bytes / 5) {
      for (int i = 0; i < 4; i++) {
        auto* data = static_cast<char*>(take_data(worker, bytes, alignment));
        ASSERT_NE(data, nullptr);
        EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % kCacheLine, 0u);
        EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % alignment, 0u);
        memset(data, static_cast<int>(blocks.size() & 0xff), bytes);
        blocks.emplace_back(data, bytes);
        alignment = alignment == 4096 ? 1 : alignment * 2;
      }
    }
    for (size_t i = 0; i < blocks.size(); i++) {
      auto [data, bytes] = blocks[i];
      EXPECT_EQ(data[0], static_cast<char>(i & 0xff));
      EXPECT_EQ(data[bytes - 1], static_cast<char>(i & 0xff));
    }
    for (auto [data, bytes] : blocks) give_data(worker, data);
  }
  give_back_idle_data(worker);
}

TEST(DataPool, OwnBlocksAreUsedAgainAtOnce) {
  Worker& worker = make_worker();
  for (size_t bytes : {size_t{1300}, size_t{5000}, kLarge, kLargestPooledData}) {
    void* data = take_data(worker, bytes, 8);
    give_data(worker, data);
    EXPECT_EQ(take_data(worker, bytes, 8), data);
    give_data(worker, data);
  }
  EXPECT_NE(pool_of(worker).idle_bytes(), 0u);
  give_back_idle_data(worker);
  EXPECT_EQ(pool_of(worker).idle_bytes(), 0u);
}

// One worker allocates and another one frees: returned memory is reused before new memory is
// allocated.
TEST(DataPool, ReturnsToItsMaker) {
  Worker& maker = make_worker();
  Worker& other = make_worker();
  std::set<void*> seen;
  for (int round = 0; round < 1000; round++) {
    std::vector<void*> blocks;
    for (size_t bytes : {2000, 20000, 20000, 60000, 60000}) {
      blocks.push_back(take_data(maker, bytes, 8));
      seen.insert(blocks.back());
    }
    for (void* data : blocks) give_data(other, data);
  }
  EXPECT_EQ(seen.size(), 5u);
  give_back_idle_data(maker);
  EXPECT_EQ(pool_of(maker).returned_bytes(), 0u);
}

TEST(DataPool, IdleMemoryIsBounded) {
  Worker& maker = make_worker();
  Worker& other = make_worker();
  for (Worker* by : {&maker, &other}) {
    std::vector<void*> blocks;
    for (int i = 0; i < 200; i++) {
      blocks.push_back(take_data(maker, i % 2 == 0 ? kLarge : 3000, 8));
      memset(blocks.back(), 1, 3000);
    }
    for (void* data : blocks) give_data(*by, data);
    EXPECT_LE(pool_of(maker).idle_bytes(), DataPool::kMostIdle);
    EXPECT_LE(pool_of(maker).returned_bytes(), DataPool::kMostIdle);
  }
  EXPECT_GT(pool_of(maker).returned_bytes(), DataPool::kMostIdle / 2);
  give_back_idle_data(maker);
  EXPECT_EQ(pool_of(maker).idle_bytes(), 0u);
  EXPECT_EQ(pool_of(maker).returned_bytes(), 0u);
}

// Sizes that a program needed first do not prevent later sizes from being kept.
TEST(DataPool, OtherSizesMakeRoom) {
  Worker& worker = make_worker();
  std::vector<void*> blocks;
  for (int i = 0; i < 80; i++) blocks.push_back(take_data(worker, kLarge, 8));
  for (void* data : blocks) give_data(worker, data);
  const size_t full = pool_of(worker).idle_bytes();
  EXPECT_GT(full + kLarge * 5 / 4, DataPool::kMostIdle);
  for (size_t bytes : {3000, 30000, 70000}) {
    void* data = take_data(worker, bytes, 8);
    give_data(worker, data);
    EXPECT_EQ(take_data(worker, bytes, 8), data) << bytes;
    give_data(worker, data);
  }
  give_back_idle_data(worker);
}

struct Item {
  Item* next;
  uint64_t check;
};

TEST(DataPool, ThreadsFreeWhileTheMakerMakes) {
  Worker& maker = make_worker();
  Inbox<Item> made;
  Atomic<bool> ended{false};
  auto free_all = [&] {
    Worker& worker = make_worker();
    for (;;) {
      bool last = ended.load(acquire);
      Item* item = made.take_all();
      if (item == nullptr) {
        if (last) return;
        std::this_thread::yield();
      }
      while (item != nullptr) {
        Item* next = item->next;
        EXPECT_EQ(item->check, reinterpret_cast<uint64_t>(item));
        item->check = 0;
        give_data(worker, item);
        item = next;
      }
    }
  };
  std::thread threads[] = {std::thread(free_all), std::thread(free_all)};
  for (int i = 0; i < 100000; i++) {
    auto* item = static_cast<Item*>(take_data(maker, i % 3 == 0 ? 40000 : 2000, 8));
    item->check = reinterpret_cast<uint64_t>(item);
    made.push(item);
    if (i % 100 == 0) std::this_thread::yield();
  }
  ended.store(true, release);
  for (std::thread& thread : threads) thread.join();
  give_back_idle_data(maker);
  EXPECT_EQ(pool_of(maker).returned_bytes(), 0u);
}

}  // namespace
}  // namespace bobbin
