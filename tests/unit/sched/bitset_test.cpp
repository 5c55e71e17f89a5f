// SPDX-License-Identifier: Apache-2.0
#include "sched/bitset.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace bobbin {
namespace {

TEST(Bitset, FillAndClaimInOrder) {
  for (unsigned count : {0u, 1u, 63u, 64u, 65u, 129u, 192u}) {
    Atomic<std::uint64_t> words[3] = {};
    BitsetView set(words, 3);
    set.fill(0, count);
    EXPECT_EQ(set.count(), count);
    EXPECT_EQ(set.any(), count > 0);
    for (unsigned i = 0; i < count; ++i) {
      ASSERT_EQ(set.lowest(), static_cast<int>(i));
      ASSERT_EQ(set.claim_lowest(), static_cast<int>(i));
    }
    EXPECT_EQ(set.lowest(), -1);
    EXPECT_EQ(set.claim_lowest(), -1);
  }
}

TEST(Bitset, SingleNumbers) {
  AtomicBitset<2> set;
  EXPECT_FALSE(set.claim(100));
  EXPECT_TRUE(set.set(100));
  EXPECT_FALSE(set.set(100));
  EXPECT_TRUE(set.has(100));
  EXPECT_TRUE(set.claim(100));
  EXPECT_FALSE(set.has(100));
  EXPECT_FALSE(set.claim(100));
}

// All threads claim numbers and put them back. Each number guards a plain counter.
TEST(BitsetStress, OneOwnerAtATime) {
  constexpr unsigned kNumbers = 70;
  constexpr int kThreads = 4;
  constexpr long kRounds = 600'000;
  AtomicBitset<2> set;
  for (unsigned number = 0; number < kNumbers; ++number) set.set(number);
  std::vector<long> guarded(kNumbers, 0);
  std::atomic<long> claims{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      long mine = 0;
      for (long round = 0; round < kRounds; ++round) {
        unsigned wanted = static_cast<unsigned>(round + t) % kNumbers;
        int number = -1;
        if (round % 3 != 2) number = set.claim_lowest();
        if (round % 3 == 2 && set.claim(wanted)) number = static_cast<int>(wanted);
        if (number < 0) continue;
        ++guarded[static_cast<std::size_t>(number)];
        ++mine;
        set.set(static_cast<unsigned>(number));
      }
      claims += mine;
    });
  }
  for (std::thread& thread : threads) thread.join();
  long sum = 0;
  for (long count : guarded) sum += count;
  EXPECT_EQ(sum, claims.load());
  EXPECT_EQ(set.count(), kNumbers);
}

TEST(Bitset, ClaimsFromANumberOn) {
  AtomicBitset<2> set;
  for (unsigned number : {3u, 63u, 64u, 100u}) set.set(number);
  EXPECT_EQ(set.claim_from(4), 63);
  EXPECT_EQ(set.claim_from(64), 64);
  EXPECT_EQ(set.claim_from(101), 3);  // those below come last
  EXPECT_EQ(set.claim_from(0), 100);
  EXPECT_EQ(set.claim_from(7), -1);
  EXPECT_EQ(set.claim_from(0), -1);
}

}  // namespace
}  // namespace bobbin
