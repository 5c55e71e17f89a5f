// SPDX-License-Identifier: Apache-2.0
// Threads that come to a point by a tree of counters, as at barriers and at the end of regions.
#include "team/model/arrival_tree.h"

#include <gtest/gtest.h>

#include <new>

#include "model/explore.h"
#include "team/model/participants.h"

namespace bobbin::model {
namespace {

constexpr unsigned kMost = 5;

// Groups of two, and trees also for few threads.
ArrivalTree make_tree(unsigned threads) {
  ArrivalTree::kGroup = 2;
  ArrivalTree::kFlat = 2;
  const unsigned nodes = ArrivalTree::nodes_for(threads);
  auto* first = static_cast<ArrivalTree::Node*>(allocate(nodes * sizeof(ArrivalTree::Node)));
  for (unsigned i = 0; i < nodes; ++i) new (first + i) ArrivalTree::Node;
  return ArrivalTree(first);
}

// A barrier that consists of the tree, the counter at the top, and a generation.
struct Meeting {
  ArrivalTree tree;
  Atomic<unsigned> top{0};
  Atomic<int> generation{0};
  Var<int> wrote[kMost];

  void meet(unsigned num, unsigned size, int round) {
    wrote[num] = round;
    const unsigned brings = tree.climb(num, size);
    if (brings != 0 && top.fetch_add(brings, acq_rel) + brings == size) {
      MODEL_CHECK(tree.below_top(size) == 0);
      for (unsigned other = 0; other < size; ++other) MODEL_CHECK(wrote[other] == round);
      top.store(0, relaxed);
      generation.store(round, release);
    }
    while (generation.load(acquire) != round) bobbin::cpu_pause();
    MODEL_CHECK(wrote[(num + 1) % size] == round);
  }
};

// The last one to come sees what all have done.
Result meetings(Options options, unsigned size) {
  return explore(options, [=] {
    auto* meeting = make<Meeting>();
    meeting->tree = make_tree(size);
    for (unsigned num = 0; num < size; ++num) {
      spawn([=] { meeting->meet(num, size, 1); });
    }
    join_all();
  });
}

TEST(ModelArrivalTree, TheLastOneHasSeenAll) {
  Result result = meetings({.preemptions = 2, .stale_reads = 1}, 3);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelArrivalTree, ThreeLevels) {
  Result result = meetings({.preemptions = 1, .stale_reads = 0}, 5);
  EXPECT_TRUE(result.passed()) << result;
}

// The next meeting begins with empty counters, as soon as one is over.
TEST(ModelArrivalTree, CountersBeginAnew) {
  Result result = explore({.preemptions = 2, .stale_reads = 1}, [] {
    auto* tree = make<ArrivalTree>(make_tree(3));
    auto* top = make<Atomic<unsigned>>(0u);
    auto* generation = make<Atomic<int>>(0);
    for (unsigned num = 0; num < 3; ++num) {
      spawn([=] {
        for (int round = 1; round <= 2; ++round) {
          const unsigned brings = tree->climb(num, 3);
          if (brings != 0 && top->fetch_add(brings, acq_rel) + brings == 3) {
            top->store(0, relaxed);
            MODEL_CHECK(generation->load(relaxed) == round - 1);
            generation->store(round, release);
          }
          while (generation->load(acquire) < round) bobbin::cpu_pause();
        }
      });
    }
    join_all();
    MODEL_CHECK(tree->below_top(3) == 0 && top->load(relaxed) == 0);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// A team may have another size in its next region: no counter keeps anything.
TEST(ModelArrivalTree, TheSizeChanges) {
  Result result = explore({.preemptions = 0, .stale_reads = 0}, [] {
    auto* tree = make<ArrivalTree>(make_tree(kMost));
    for (unsigned size : {4u, 3u}) {
      auto* top = make<Atomic<unsigned>>(0u);
      for (unsigned num = 0; num < size; ++num) {
        spawn([=] {
          if (const unsigned brings = tree->climb(num, size)) top->fetch_add(brings, acq_rel);
        });
      }
      join_all();
      MODEL_CHECK(top->load(relaxed) == size && tree->below_top(size) == 0);
    }
  });
  EXPECT_TRUE(result.passed()) << result;
}

// Members rest by the tree, an adopter of one enters and leaves at the top. The primary thread ends
// the region when all have gone, and has seen what they did.
TEST(ModelArrivalTree, MembersRestByIt) {
  Result result = explore({.preemptions = 2, .stale_reads = 1}, [] {
    struct Case {
      Participants participants;
      Var<int> done[4];
      Atomic<int> woken{0};
    };
    auto* shared = make<Case>();
    Participants& participants = shared->participants;
    participants.rest_in(make_tree(3));
    participants.open(1, 4);
    for (unsigned num = 1; num < 4; ++num) {
      spawn([=, &participants] {
        shared->done[num] = 1;
        if (participants.rest(num, 4)) shared->woken.store(1, release);
        if (num != 1 || !participants.enter(1)) return;
        MODEL_CHECK(participants.inside(4) >= 2);
        shared->done[1] = 2;
        if (participants.leave()) shared->woken.store(1, release);
      });
    }
    participants.announce_wait();
    while (!participants.only_primary() && shared->woken.load(acquire) == 0) bobbin::cpu_pause();
    participants.stop_waiting();
    while (!participants.end()) bobbin::cpu_pause();
    MODEL_CHECK(shared->done[1] >= 1 && shared->done[2] == 1 && shared->done[3] == 1);
    join_all();
    MODEL_CHECK(participants.inside(4) == 0);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// A maker of tasks that publishes its offer and then asks who is inside, and a member that rests
// and then looks for offers: one of the two notices.
TEST(ModelArrivalTree, NoOfferIsMissed) {
  Result result = explore({.preemptions = 2, .stale_reads = 2}, [] {
    struct Case {
      Participants participants;
      Atomic<int> offered{0};
      Atomic<int> noticed{0};
    };
    auto* shared = make<Case>();
    Participants& participants = shared->participants;
    participants.rest_in(make_tree(3));
    participants.open(1, 4);
    for (unsigned num = 1; num < 4; ++num) {
      spawn([=, &participants] {
        participants.rest(num, 4);
        bobbin::fence(seq_cst);
        if (shared->offered.load(relaxed) != 0) shared->noticed.store(1, relaxed);
      });
    }
    shared->offered.store(1, relaxed);
    bobbin::fence(seq_cst);
    if (participants.inside(4) < 4) shared->noticed.store(1, relaxed);
    join_all();
    MODEL_CHECK(shared->noticed.load(relaxed) == 1);
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
