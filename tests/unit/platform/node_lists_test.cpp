// SPDX-License-Identifier: Apache-2.0
#include "platform/memory/node_lists.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <set>

namespace bobbin {
namespace {

struct Object {
  Object* next = nullptr;
};

TEST(NodeLists, OwnNodeFirst) {
  Object of_two[2], of_five;
  NodeLists<Object> lists;
  EXPECT_EQ(lists.pop(2), nullptr);
  lists.push(&of_two[0], 2);
  lists.push(&of_five, 5);
  lists.push(&of_two[1], 2);
  EXPECT_EQ(lists.pop(5), &of_five);
  EXPECT_EQ(lists.pop(2), &of_two[1]);
  lists.push(&of_five, 5);
  // From another node rather than none; the search goes round.
  EXPECT_EQ(lists.pop(kMostNodes - 1), &of_two[0]);
  EXPECT_EQ(lists.pop(kMostNodes - 1), &of_five);
  EXPECT_EQ(lists.pop(kMostNodes - 1), nullptr);
}

TEST(NodeLists, EachObjectOnce) {
  Object objects[2 * kMostNodes];
  NodeLists<Object> lists;
  for (unsigned i = 0; i < 2 * kMostNodes; i++) lists.push(&objects[i], i % kMostNodes);
  std::set<Object*> seen;
  while (Object* object = lists.pop(7)) EXPECT_TRUE(seen.insert(object).second);
  EXPECT_EQ(seen.size(), 2 * kMostNodes);
}

TEST(MemoryNode, PagesThatNobodyHasTouchedHaveNone) {
  constexpr size_t kBytes = 1 << 16;
  void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  EXPECT_EQ(node_of(memory), -1);
  *static_cast<char*>(memory) = 1;
  if (node_of(memory) < 0) GTEST_SKIP() << "the kernel does not tell";
  EXPECT_LT(node_of(memory), static_cast<int>(kMostNodes));
  EXPECT_LT(node_here(), has_several_nodes() ? kMostNodes : 1);
  munmap(memory, kBytes);
}

}  // namespace
}  // namespace bobbin
