// SPDX-License-Identifier: Apache-2.0
#include "task/memory/task_pool.h"

#include <gtest/gtest.h>

#include <cstring>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "sched/queues/inbox.h"

namespace bobbin {
namespace {

// Workers live as long as the process, and so does the memory that their pools keep.
Worker& make_worker() {
  static std::mutex lock;
  static auto* workers = new std::vector<Worker*>;
  std::lock_guard guard(lock);
  workers->push_back(new Worker);
  return *workers->back();
}

TEST(TaskPool, BlocksAreApartAndAligned) {
  Worker& worker = make_worker();
  std::vector<std::pair<char*, size_t>> blocks;
  for (size_t bytes : {1u, 64u, 65u, 128u, 200u, 511u, 512u, 513u, 1024u, 1025u, 2048u}) {
    for (int i = 0; i < 300; i++) {
      auto* block = static_cast<char*>(take_task_block(worker, bytes));
      ASSERT_NE(block, nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % kCacheLine, 0u);
      memset(block, static_cast<int>(blocks.size() & 0xff), bytes);
      blocks.emplace_back(block, bytes);
    }
  }
  for (size_t i = 0; i < blocks.size(); i++) {
    auto [block, bytes] = blocks[i];
    EXPECT_EQ(block[0], static_cast<char>(i & 0xff));
    EXPECT_EQ(block[bytes - 1], static_cast<char>(i & 0xff));
  }
  for (auto [block, bytes] : blocks) give_task_block(worker, block);
}

TEST(TaskPool, OwnBlocksAreUsedAgainAtOnce) {
  Worker& worker = make_worker();
  void* block = take_task_block(worker, 100);
  give_task_block(worker, block);
  EXPECT_EQ(take_task_block(worker, 128), block);
  EXPECT_NE(take_task_block(worker, 128), block);
}

// One worker allocates and another one frees: returned memory is reused before new memory is
// allocated.
TEST(TaskPool, ReturnsToItsMaker) {
  Worker& maker = make_worker();
  Worker& other = make_worker();
  give_task_block(other, take_task_block(other, 64));
  std::set<void*> seen;
  for (int round = 0; round < 1000; round++) {
    std::vector<void*> blocks;
    for (int i = 0; i < 10; i++) {
      blocks.push_back(take_task_block(maker, 64));
      seen.insert(blocks.back());
    }
    for (void* block : blocks) give_task_block(other, block);
  }
  EXPECT_LE(seen.size(), 20u);
}

// The same with several at once, of two makers and with alternating sizes.
TEST(TaskPool, ReturnsSeveralAtOnce) {
  Worker* makers[] = {&make_worker(), &make_worker()};
  Worker& other = make_worker();
  give_task_block(other, take_task_block(other, 64));
  std::set<void*> seen;
  for (int round = 0; round < 1000; round++) {
    std::set<void*> blocks;
    std::vector<void*> in_order;
    for (int i = 0; i < 48; i++) {
      size_t bytes = i / 2 % 3 == 2 ? 64 : i < 24 ? 100 : 200;
      in_order.push_back(take_task_block(*makers[i % 5 == 0], bytes));
      EXPECT_TRUE(blocks.insert(in_order.back()).second);
      memset(in_order.back(), round & 0xff, bytes);
      seen.insert(in_order.back());
    }
    BlockReturns returns;
    for (void* block : in_order) returns.give(other, block);
  }
  EXPECT_LE(seen.size(), 96u);
}

struct Item {
  Item* next;
  uint64_t check;
};

TEST(TaskPool, ThreadsFreeWhileTheMakerMakes) {
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
      BlockReturns returns;
      while (item != nullptr) {
        Item* next = item->next;
        EXPECT_EQ(item->check, reinterpret_cast<uint64_t>(item));
        item->check = 0;
        returns.give(worker, item);
        item = next;
      }
    }
  };
  std::thread threads[] = {std::thread(free_all), std::thread(free_all)};
  for (int i = 0; i < 200000; i++) {
    auto* item = static_cast<Item*>(take_task_block(maker, 96));
    item->check = reinterpret_cast<uint64_t>(item);
    made.push(item);
    if (i % 500 == 0) std::this_thread::yield();
  }
  ended.store(true, release);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace bobbin
