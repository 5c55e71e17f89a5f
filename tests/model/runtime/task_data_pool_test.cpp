// SPDX-License-Identifier: Apache-2.0
// Memory of tasks' data that other workers free while the maker takes more.
#include <gtest/gtest.h>

#include "model/explore.h"
#include "task/memory/data_pool.h"

namespace bobbin::model {
namespace {

constexpr size_t kBlock = DataPool::bytes_of(0);

// The contents of a block of data.
struct Content {
  Var<int> value{0};
};

DataHead* take(DataPool& pool, int value) {
  DataHead* head = pool.take(0);
  MODEL_CHECK(head != nullptr && head->size_class == 0);
  new (head->data()) Content;
  static_cast<Content*>(head->data())->value = value;
  return head;
}

void free_elsewhere(DataPool& pool, DataHead& head, int value) {
  auto& content = *static_cast<Content*>(head.data());
  MODEL_CHECK(content.value == value);
  content.value = 0;
  pool.give_to_maker(head);
}

// Two threads free three blocks, but there is room for two. Meanwhile the maker takes two more.
TEST(ModelTaskDataPool, NothingIsUsedTwiceOrKeptBeyondTheBound) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    auto* pool = make<DataPool>(2 * kBlock);
    DataHead* first = take(*pool, 1);
    DataHead* second = take(*pool, 2);
    DataHead* third = take(*pool, 3);
    spawn([=] {
      free_elsewhere(*pool, *first, 1);
      free_elsewhere(*pool, *second, 2);
    });
    spawn([=] { free_elsewhere(*pool, *third, 3); });
    DataHead* fourth = take(*pool, 4);
    DataHead* fifth = take(*pool, 5);
    MODEL_CHECK(fourth != fifth);
    pool->keep(*fourth);
    MODEL_CHECK(pool->idle_bytes() <= 2 * kBlock);
    // One for each thread that adds at the same time beyond the bound.
    MODEL_CHECK(pool->returned_bytes() <= 3 * kBlock);
    join_all();
    MODEL_CHECK(static_cast<Content*>(fifth->data())->value == 5);
    pool->keep(*fifth);
    pool->give_back_all();
    MODEL_CHECK(pool->idle_bytes() == 0);
    MODEL_CHECK(pool->returned_bytes() == 0);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// Returned memory is reused before new memory is allocated.
TEST(ModelTaskDataPool, TheMakerFindsWhatCameBack) {
  Result result = explore({.preemptions = 3, .stale_reads = 2}, [] {
    auto* pool = make<DataPool>(2 * kBlock);
    auto* freed = make<Atomic<bool>>(false);
    DataHead* first = take(*pool, 1);
    spawn([=] {
      free_elsewhere(*pool, *first, 1);
      freed->store(true, release);
    });
    if (freed->load(acquire)) {
      MODEL_CHECK(take(*pool, 2) == first);
      MODEL_CHECK(pool->returned_bytes() == 0);
    }
    join_all();
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
