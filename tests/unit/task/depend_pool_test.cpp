// SPDX-License-Identifier: Apache-2.0
#include "task/depend/pool.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

namespace bobbin {
namespace {

DependNode* take(DependPool& pool, uint32_t links, uint32_t mark = 1) {
  return pool.take(links, DependNodeKind::Task, mark);
}

TEST(DependPool, NodesHaveRoom) {
  DependPool pool;
  for (uint32_t links : {1u, 2u, 3u, 15u, 16u, 17u, 32u, 33u, 64u, 128u, 129u, 5000u}) {
    DependNode* node = take(pool, links);
    ASSERT_NE(node, nullptr);
    EXPECT_GE(node->capacity, links);
    for (uint32_t i = 0; i < links; i++) node->links()[i] = {nullptr, node};
    EXPECT_EQ(node->kind(), DependNodeKind::Task);
    EXPECT_FALSE(node->completed());
    pool.retire(*node);
  }
}

// A generation may have more members than a node can count links. Then the thread waits for them.
TEST(DependPool, NoNodeHasMoreLinksThanItCounts) {
  DependPool pool;
  EXPECT_EQ(take(pool, DependNode::kMostLinks + 1), nullptr);
}

TEST(DependPool, ReusesOnlyWhatHasCompleted) {
  DependPool pool;
  DependNode* node = take(pool, 2);
  pool.retire(*node);
  EXPECT_NE(take(pool, 2), node);
  node->successors.close();
  EXPECT_EQ(take(pool, 2), node);
  EXPECT_FALSE(node->completed());
}

TEST(DependPool, LeavesPredecessorsOfTheRegistrationAlone) {
  DependPool pool;
  DependNode* node = take(pool, 2);
  node->mark = 7;
  pool.retire(*node);
  node->successors.close();
  EXPECT_NE(take(pool, 2, 7), node);
  EXPECT_EQ(take(pool, 2, 8), node);
}

// One late task must not prevent those behind it from being reused.
TEST(DependPool, MemoryIsConstantBehindALateTask) {
  DependPool pool;
  DependNode* late = take(pool, 2);
  pool.retire(*late);
  std::set<DependNode*> nodes;
  for (int i = 0; i < 100000; i++) {
    DependNode* node = take(pool, 2);
    ASSERT_NE(node, late);
    nodes.insert(node);
    pool.retire(*node);
    node->successors.close();
  }
  EXPECT_LT(nodes.size(), 2000u);
}

TEST(DependPool, FreesAnnexesAndLargeNodes) {
  DependPool pool;
  for (uint32_t links : {4u, 1000u}) {
    DependNode* node = take(pool, links);
    DependNode::Annex& annex = pool.annex_of(*node);
    EXPECT_EQ(annex.links, nullptr);
    EXPECT_EQ(annex.exclusion, nullptr);
    annex.links = static_cast<DependLink*>(malloc(100 * sizeof(DependLink)));
    EXPECT_EQ(&pool.annex_of(*node), &annex);
    EXPECT_NE(pool.annex_of(*node).links, nullptr);
    pool.retire(*node);
    node->successors.close();
    EXPECT_EQ(take(pool, links), node);
    EXPECT_FALSE(node->has_annex);
    pool.annex_of(*node).links = static_cast<DependLink*>(malloc(sizeof(DependLink)));
    pool.retire(*node);  // the pool's end frees it, completed or not
  }
}

}  // namespace
}  // namespace bobbin
