// SPDX-License-Identifier: Apache-2.0
#include "sched/queues/inbox.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace bobbin {
namespace {

struct Item {
  long value = 0;
  Item* next = nullptr;
};

TEST(Inbox, Order) {
  Inbox<Item> inbox;
  Item items[5];
  EXPECT_EQ(inbox.take_all(), nullptr);
  EXPECT_EQ(inbox.push(&items[0]), Pushed::First);
  EXPECT_EQ(inbox.push(&items[1]), Pushed::More);
  EXPECT_EQ(inbox.push(&items[2]), Pushed::More);
  EXPECT_FALSE(inbox.empty());
  Item* item = inbox.take_all_fifo();
  for (int i = 0; i < 3; ++i, item = item->next) ASSERT_EQ(item, &items[i]);
  EXPECT_EQ(item, nullptr);
  EXPECT_TRUE(inbox.empty());
}

TEST(Inbox, ClosedRefusesUntilReopened) {
  Inbox<Item> inbox;
  Item items[2];
  inbox.push(&items[0]);
  EXPECT_EQ(inbox.close(), &items[0]);
  EXPECT_EQ(inbox.push(&items[1]), Pushed::Closed);
  inbox.reopen();
  EXPECT_EQ(inbox.push(&items[1]), Pushed::First);
}

// Items travel in circles between threads, so each is reused directly after it was taken.
TEST(InboxStress, ItemsAreConserved) {
  constexpr int kThreads = 4;
  constexpr long kRounds = 600'000;
  Inbox<Item> inboxes[2];
  std::vector<Item> items(32);
  long sum = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    items[i].value = static_cast<long>(i) + 1;
    sum += items[i].value;
    inboxes[i % 2].push(&items[i]);
  }
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (long round = 0; round < kRounds; ++round) {
        Inbox<Item>& from = inboxes[(round + t) % 2];
        Inbox<Item>& to = inboxes[(round / 2 + t) % 2];
        Item* item = round % 3 == 0 ? from.take_all_fifo() : from.take_all();
        while (item != nullptr) {
          Item* next = item->next;
          ++item->value;
          --item->value;
          to.push(item);
          item = next;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::size_t count = 0;
  for (Inbox<Item>& inbox : inboxes) {
    for (Item* item = inbox.take_all(); item != nullptr; item = item->next) {
      sum -= item->value;
      ++count;
    }
  }
  EXPECT_EQ(count, items.size());
  EXPECT_EQ(sum, 0);
}

}  // namespace
}  // namespace bobbin
