// SPDX-License-Identifier: Apache-2.0
#include "task/depend/map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace bobbin {
namespace {

bool keep_all(DependEntry&) { return false; }

TEST(DependMap, FindsWhatWasEntered) {
  DependMap map;
  EXPECT_EQ(map.find(64), nullptr);
  ASSERT_TRUE(map.reserve(2, keep_all));
  bool is_new = false;
  DependEntry& entry = map.enter(64, is_new);
  EXPECT_TRUE(is_new);
  EXPECT_EQ(&map.enter(64, is_new), &entry);
  EXPECT_FALSE(is_new);
  EXPECT_EQ(map.find(64), &entry);
  EXPECT_EQ(map.find(65), nullptr);
  EXPECT_EQ(map.count(), 1u);
}

TEST(DependMap, NullIsAnAddress) {
  DependMap map;
  ASSERT_TRUE(map.reserve(1, keep_all));
  EXPECT_EQ(map.find(0), nullptr);
  bool is_new = false;
  DependEntry& entry = map.enter(0, is_new);
  EXPECT_TRUE(is_new);
  ASSERT_TRUE(map.reserve(100, keep_all));
  EXPECT_NE(map.find(0), nullptr);
  (void)entry;
}

// The average number of entries between an entry and the place where its search begins.
double mean_displacement(DependMap& map) {
  std::vector<const DependEntry*> starts;
  map.for_each(
      [&](const DependEntry& entry) { starts.push_back(&entry - map.home_of(entry.key)); });
  // No entry lies before that place, except where the table's end is followed by its beginning.
  const DependEntry* begin = *std::ranges::max_element(
      starts, {}, [&](const DependEntry* at) { return std::ranges::count(starts, at); });
  double sum = 0;
  for (const DependEntry* at : starts) {
    sum += static_cast<double>(static_cast<size_t>(at - begin) & (map.capacity() - 1));
  }
  return sum / static_cast<double>(map.count());
}

TEST(DependMap, FindsNearlyAtOnce) {
  for (unsigned log = 0; log <= 24; log++) {
    for (uintptr_t odd : {1u, 3u, 5u, 7u, 9u}) {
      const uintptr_t stride = odd << log;
      DependMap map;
      constexpr uintptr_t kCount = 2000;
      ASSERT_TRUE(map.reserve(kCount, keep_all));
      for (uintptr_t i = 0; i < kCount; i++) {
        bool is_new = false;
        map.enter(0x7f3a12345010 + i * stride, is_new);
        ASSERT_TRUE(is_new);
      }
      EXPECT_LT(mean_displacement(map), 4) << "stride " << stride;
    }
  }
}

TEST(DependMap, KeepsEntriesWhileItGrows) {
  for (uintptr_t stride : {uintptr_t{1}, uintptr_t{8}, uintptr_t{512}, uintptr_t{4096},
                           uintptr_t{1} << 21, uintptr_t{1} << 32}) {
    DependMap map;
    constexpr uintptr_t kCount = 5000;
    for (uintptr_t i = 0; i < kCount; i++) {
      ASSERT_TRUE(map.reserve(1, keep_all));
      bool is_new = false;
      DependEntry& entry = map.enter(0x10000 + i * stride, is_new);
      ASSERT_TRUE(is_new);
      entry.before = reinterpret_cast<DependNode*>(i + 1);
      entry.set_kind(DependKind::Inoutset);
    }
    EXPECT_EQ(map.count(), kCount);
    EXPECT_LE(2 * map.count(), map.capacity());
    for (uintptr_t i = 0; i < kCount; i++) {
      DependEntry* entry = map.find(0x10000 + i * stride);
      ASSERT_NE(entry, nullptr);
      EXPECT_EQ(entry->before, reinterpret_cast<DependNode*>(i + 1));
      EXPECT_EQ(entry->kind(), DependKind::Inoutset);
    }
    std::set<uintptr_t> seen;
    map.for_each([&](DependEntry& entry) { seen.insert(entry.key); });
    EXPECT_EQ(seen.size(), kCount);
  }
}

// A program that always depends on new addresses does not make the table grow if their tasks are
// complete.
TEST(DependMap, ForgetsWhatIsOfNoInterest) {
  DependMap map;
  size_t discarded = 0;
  auto discard = [&](DependEntry& entry) {
    if (entry.key % 100 == 0) return false;
    discarded++;
    EXPECT_EQ(entry.kind(), DependKind::In);
    return true;
  };
  for (uintptr_t address = 1; address <= 100000; address++) {
    ASSERT_TRUE(map.reserve(1, discard));
    bool is_new = false;
    map.enter(address, is_new).set_kind(DependKind::In);
  }
  EXPECT_GT(discarded, 90000u);
  EXPECT_LE(map.capacity(), 8192u);
  for (uintptr_t address = 100; address <= 100000; address += 100) {
    EXPECT_NE(map.find(address), nullptr);
  }
}

TEST(DependMap, ClearForgetsAll) {
  DependMap map;
  for (size_t size : {size_t{4}, size_t{1000}}) {
    for (uintptr_t i = 0; i < size; i++) {
      ASSERT_TRUE(map.reserve(1, keep_all));
      bool is_new = false;
      map.enter(i * 8, is_new);
    }
    map.clear();
    EXPECT_EQ(map.count(), 0u);
    EXPECT_EQ(map.find(8), nullptr);
    EXPECT_LE(map.capacity(), 16u);
  }
}

}  // namespace
}  // namespace bobbin
