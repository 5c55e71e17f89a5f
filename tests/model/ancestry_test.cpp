// SPDX-License-Identifier: Apache-2.0
#include "task/model/ancestry.h"

#include <gtest/gtest.h>

#include "model/explore.h"

namespace bobbin::model {
namespace {

// The model's counterpart of Relaxed and Followed, which are not explored.
template <class T, std::memory_order kLoad, std::memory_order kStore>
class Field {
 public:
  operator T() const { return value_.load(kLoad); }
  T operator->() const { return *this; }
  T operator=(T value) {
    value_.store(value, kStore);
    return value;
  }

 private:
  Atomic<T> value_{T{}};
};

struct Node {
  Field<Node*, acquire, release> parent;
  Field<uint32_t, relaxed, relaxed> depth;
  Atomic<uint32_t> references{1};

  void be_child_of(Node& above) {
    parent = &above;
    depth = above.depth + 1;
    above.references.fetch_add(1, relaxed);
  }
};

// Two roots. Below the first one is the line of a queued candidate, which is the youngest.
struct State {
  Node roots[2];
  Node line[3];
  Atomic<uint64_t> shortened{0};

  State() {
    line[0].be_child_of(roots[0]);
    line[1].be_child_of(line[0]);
    line[2].be_child_of(line[1]);
    line[0].references.fetch_sub(1, relaxed);  // completed
  }
  Node& candidate() { return line[2]; }
  bool descends_from(int root) { return descends(candidate(), roots[root], shortened); }

  template <class Free>
  void complete_parent(Free&& free) {
    auto for_one_child = [this](Node& node) {
      return &node != &roots[0] && node.references.load(acquire) == 1;
    };
    shorten(line[1], shortened, for_one_child, free);
    line[1].references.fetch_sub(1, acq_rel);
  }
};

constexpr Options kBounds{.preemptions = 4, .stale_reads = 3};

// The thread that has removed the candidate's grandparent at once makes another task from its
// memory, below the other root.
TEST(ModelAncestry, ThiefIsNotLedAstray) {
  Result result = explore(kBounds, [] {
    auto* s = make<State>();
    spawn([=] { s->complete_parent([=](Node* node) { node->be_child_of(s->roots[1]); }); });
    spawn([=] {
      MODEL_CHECK(!s->descends_from(1));
      MODEL_CHECK(s->descends_from(0));
    });
    join_all();
    MODEL_CHECK(s->line[1].parent == &s->roots[0]);
    MODEL_CHECK(s->roots[0].references.load(relaxed) == 2);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// Here the new task is below the candidate's own line, and so deep that the depth does not fall.
TEST(ModelAncestry, ThiefComesToAnEnd) {
  Result result = explore(kBounds, [] {
    auto* s = make<State>();
    s->roots[1].depth = 5;
    spawn([=] { s->complete_parent([=](Node* node) { node->be_child_of(s->roots[1]); }); });
    spawn([=] { MODEL_CHECK(s->descends_from(0)); });
    join_all();
  });
  EXPECT_TRUE(result.passed()) << result;
}

// A task that has another child, or has not completed, stays.
TEST(ModelAncestry, OthersStay) {
  Result result = explore(kBounds, [] {
    auto* s = make<State>();
    auto* other = make<Node>();
    other->be_child_of(s->line[0]);
    spawn([=] { s->complete_parent([](Node*) { MODEL_CHECK(false); }); });
    spawn([=] { MODEL_CHECK(s->descends_from(0)); });
    join_all();
    MODEL_CHECK(s->line[1].parent == &s->line[0]);
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
