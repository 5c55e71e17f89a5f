// SPDX-License-Identifier: Apache-2.0
// Who may use a recorded graph, while several threads execute its region and one of them resets it.
#include "task/graph/graph_state.h"

#include <gtest/gtest.h>

#include "model/explore.h"

namespace bobbin::model {
namespace {

struct Graph {
  GraphState state;
  Var<int> record{0};
  Var<int> discarded{0};  // by holders
  Atomic<int> replays{0};

  void replay() {
    MODEL_CHECK(record != 0);
    replays.fetch_add(1, relaxed);
  }

  void discard() {
    record = 0;
    discarded = discarded + 1;
  }

  void execute(bool reset) {
    switch (state.enter(reset)) {
      case GraphState::Part::Execute:
        return;
      case GraphState::Part::Record:
        discard();
        record = 1;
        state.end_as_user();
        break;
      case GraphState::Part::Replay:
        break;
    }
    replay();
    if (!state.leave()) return;
    discard();
    state.end_empty();
  }

  // As when the units have been measured.
  void divide() {
    if (state.enter(false) != GraphState::Part::Replay) return;
    replay();
    if (state.hold_alone()) {
      record = record + 1;
      state.end_ready();
    } else if (state.leave()) {
      discard();
      state.end_empty();
    }
  }
};

constexpr Options kBounds{.preemptions = 3, .stale_reads = 2};

TEST(ModelGraphState, ThreeExecutions) {
  const Result result = explore(kBounds, [] {
    auto* graph = make<Graph>();
    for (int i = 0; i < 3; i++) spawn([=] { graph->execute(false); });
    join_all();
    MODEL_CHECK(graph->replays.load(relaxed) >= 1 && graph->discarded == 1);
  });
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelGraphState, ResetWhileInUse) {
  const Result result = explore(kBounds, [] {
    auto* graph = make<Graph>();
    graph->execute(false);
    for (int i = 0; i < 3; i++) spawn([=] { graph->execute(i == 0); });
    join_all();
    // It is recorded anew at once, or it is discarded by the last one that uses it.
    MODEL_CHECK(graph->discarded >= 2);
  });
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelGraphState, DividedByTheOnlyUser) {
  const Result result = explore(kBounds, [] {
    auto* graph = make<Graph>();
    graph->execute(false);
    spawn([=] { graph->divide(); });
    spawn([=] { graph->execute(false); });
    spawn([=] { graph->execute(true); });
    join_all();
  });
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelGraphState, UnsuitableUntilReset) {
  const Result result = explore(kBounds, [] {
    auto* graph = make<Graph>();
    if (graph->state.enter(false) == GraphState::Part::Record) graph->state.end_unsuitable();
    spawn([=] { graph->execute(false); });
    join_all();
    MODEL_CHECK(graph->replays.load(relaxed) == 0);
    spawn([=] { graph->execute(true); });
    join_all();
    MODEL_CHECK(graph->replays.load(relaxed) == 1);
  });
  EXPECT_TRUE(result.passed()) << result;
}

// A thread that reads the record after it has left: the explorer finds the race.
TEST(ModelGraphState, NobodyReadsTheRecordAfterLeaving) {
  const Result result = explore(kBounds, [] {
    auto* graph = make<Graph>();
    graph->execute(false);
    spawn([=] {
      if (graph->state.enter(false) != GraphState::Part::Replay) return;
      const bool discards = graph->state.leave();
      graph->replay();
      if (discards) graph->state.end_empty();
    });
    spawn([=] { graph->execute(true); });
    join_all();
  });
  EXPECT_TRUE(result.failed);
}

}  // namespace
}  // namespace bobbin::model
