// SPDX-License-Identifier: Apache-2.0
// Which threads may touch a team's region, and when the region is over.
#include "team/model/participants.h"

#include <gtest/gtest.h>

#include "model/explore.h"

namespace bobbin::model {
namespace {

struct Case {
  Participants participants;
  Var<int> region{1};
  Atomic<int> woken{0};
};

// An adopter sees the region that it meant, until it leaves. The next region has only its own
// participants, whatever threads left over from this region do.
TEST(ModelParticipants, NobodyEntersALaterRegion) {
  Result result = explore({.preemptions = 4, .stale_reads = 2}, [] {
    auto* shared = make<Case>();
    Participants& participants = shared->participants;
    participants.open(1, 1);
    for (int i = 0; i < 2; ++i) {
      spawn([=, &participants] {
        if (!participants.enter(1)) return;
        MODEL_CHECK(shared->region == 1);
        participants.leave();
      });
    }
    while (!participants.end()) bobbin::cpu_pause();
    shared->region = 2;
    participants.open(2, 2);
    MODEL_CHECK(participants.inside(2) == 2);
    join_all();
    MODEL_CHECK(participants.inside(2) == 2);
  });
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelParticipants, NobodyEntersWhatIsOver) {
  Result result = explore({.preemptions = 4, .stale_reads = 2}, [] {
    auto* shared = make<Case>();
    Participants& participants = shared->participants;
    participants.open(1, 1);
    spawn([=, &participants] {
      if (!participants.enter_any()) return;
      MODEL_CHECK(shared->region == 1);
      participants.leave();
    });
    while (!participants.end()) bobbin::cpu_pause();
    shared->region = 0;
    MODEL_CHECK(!participants.enter(1) && !participants.enter_any());
    join_all();
  });
  EXPECT_TRUE(result.passed()) << result;
}

// A thread that comes with a ticket of an earlier region sees the region that it enters.
TEST(ModelParticipants, WhoComesLateSeesTheRegionThatItEnters) {
  Result result = explore({.preemptions = 4, .stale_reads = 2}, [] {
    auto* shared = make<Case>();
    Participants& participants = shared->participants;
    shared->region = 1;
    participants.open(1, 1);
    spawn([=, &participants] {
      if (!participants.enter_any()) return;
      MODEL_CHECK(shared->region == (participants.is_of(2) ? 2 : 1));
      participants.leave();
    });
    while (!participants.end()) bobbin::cpu_pause();
    shared->region = 2;
    participants.open(2, 2);
    join_all();
  });
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelParticipants, TheLastOneWakesThePrimary) {
  Result result = explore({.preemptions = 4, .stale_reads = 2}, [] {
    auto* shared = make<Case>();
    Participants& participants = shared->participants;
    participants.open(1, 3);
    for (int i = 0; i < 2; ++i) {
      spawn([=, &participants] {
        if (participants.leave()) shared->woken.store(1, release);
      });
    }
    participants.announce_wait();
    while (!participants.only_primary() && shared->woken.load(acquire) == 0) bobbin::cpu_pause();
    participants.stop_waiting();
    MODEL_CHECK(participants.end());
    join_all();
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
