// SPDX-License-Identifier: Apache-2.0
// Threads copy from the data of a single construct whose region is cancelled.
#include "construct/worksharing/copy_count.h"

#include <gtest/gtest.h>

#include "model/explore.h"

namespace bobbin::model {
namespace {

struct Region {
  Atomic<uint64_t> word{0};
  CopyCount copies{word};
  Var<int> data{1};
  Atomic<bool> given{false};

  // The data are gone at the end.
  void execute() {
    given.store(true, release);
    while (!copies.close()) cpu_pause();
    data = 0;
  }

  void copy() {
    if (!copies.enter()) return;
    while (!given.load(acquire)) cpu_pause();
    MODEL_CHECK(data == 1);
    copies.leave();
  }

  // A thread that looks at the data without counting itself in.
  void copy_uncounted() {
    if (given.load(acquire)) MODEL_CHECK(data == 1);
  }
};

constexpr Options kBounds{.preemptions = 3, .stale_reads = 2};

TEST(ModelCopyCount, TheDataStayWhileTheyAreCopied) {
  const Result result = explore(kBounds, [] {
    auto* region = make<Region>();
    spawn([=] { region->execute(); });
    spawn([=] { region->copy(); });
    spawn([=] { region->copy(); });
    join_all();
  });
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelCopyCount, AThreadCountsItselfInFirst) {
  const Result result = explore(kBounds, [] {
    auto* region = make<Region>();
    spawn([=] { region->execute(); });
    spawn([=] { region->copy_uncounted(); });
    join_all();
  });
  EXPECT_TRUE(result.failed);
}

}  // namespace
}  // namespace bobbin::model
