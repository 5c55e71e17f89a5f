// SPDX-License-Identifier: Apache-2.0
#include "sched/queues/bitset.h"

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

TEST(Bitset, ClaimsDifferentOnes) {
  AtomicBitset<2> set;
  for (unsigned number : {3u, 5u, 63u, 64u, 100u}) set.set(number);
  EXPECT_EQ(set.claim_any(1), 5);  // the second one of the three in the word
  EXPECT_EQ(set.claim_any(2), 3);  // 2 modulo two
  EXPECT_EQ(set.claim_any(65), 100);
  EXPECT_EQ(set.claim_any(65), 64);
  EXPECT_EQ(set.claim_any(65), 63);  // the word has none left
  EXPECT_EQ(set.claim_any(1000), -1);
}

// Words on cache lines of their own.
TEST(Bitset, WordsApart) {
  constexpr unsigned kWords = 3;
  Atomic<std::uint64_t> words[kWords * BitsetView::kApart] = {};
  BitsetView set(words, kWords, BitsetView::kApart);
  set.fill(1, 140);
  EXPECT_EQ(set.count(), 139u);
  EXPECT_EQ(&set.word_of(64), &words[BitsetView::kApart]);
  EXPECT_EQ(words[1].load(relaxed), 0u);
  EXPECT_TRUE(set.claim(139));
  EXPECT_FALSE(set.has(139));
  EXPECT_TRUE(set.has_at_least(138));
  EXPECT_FALSE(set.has_at_least(139));
  for (unsigned i = 1; i < 139; ++i) ASSERT_EQ(set.claim_lowest(), static_cast<int>(i));
  EXPECT_TRUE(set.has_at_least(0));
  EXPECT_FALSE(set.has_at_least(1));
}

TEST(Bitset, VisitsFromANumberOn) {
  Atomic<std::uint64_t> words[2] = {};
  BitsetView set(words, 2);
  for (unsigned number : {3u, 40u, 64u, 100u}) set.set(number);
  const auto from = [&](unsigned first, unsigned most) {
    std::vector<unsigned> seen;
    set.each_from(first, [&](unsigned number) {
      seen.push_back(number);
      return seen.size() == most;
    });
    return seen;
  };
  EXPECT_EQ(from(0, 9), (std::vector<unsigned>{3, 40, 64, 100}));
  EXPECT_EQ(from(70, 9), (std::vector<unsigned>{100, 64, 40, 3}));
  EXPECT_EQ(from(4, 2), (std::vector<unsigned>{40, 3}));
}

}  // namespace
}  // namespace bobbin
