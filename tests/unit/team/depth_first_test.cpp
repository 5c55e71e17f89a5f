// SPDX-License-Identifier: Apache-2.0
// On one worker: what begins first, a thread of an inner team or one of an outer team.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "platform/atomic.h"
#include "sched/workers/pool.h"
#include "team/members/member.h"
#include "team/model/thread.h"

extern "C" void GOMP_parallel(void (*function)(void*), void* data, unsigned threads,
                              unsigned flags);

namespace bobbin {
namespace {

constexpr unsigned kOuter = 12;  // more than the open teams have slots
constexpr unsigned kInner = 3;

// The thread of the outer team and the kernel thread.
struct Begun {
  unsigned outer;
  pid_t carrier;
};
std::array<Begun, kOuter * kInner> begun;
Atomic<unsigned> count{0};

void inner(void* outer_number) {
  begun[count.fetch_add(1, relaxed)] = {*static_cast<unsigned*>(outer_number), gettid()};
}

void outer(void* /*data*/) {
  unsigned number = tls_thread->member->num;
  GOMP_parallel(inner, &number, kInner, 0);
}

class DepthFirst : public testing::Test {
 protected:
  void SetUp() override {
    setenv("BOBBIN_WORKERS", "1", 1);
    setenv("OMP_MAX_ACTIVE_LEVELS", "2", 1);
    GOMP_parallel([](void*) {}, nullptr, 1, 0);
    if (!provider.threads_move) GTEST_SKIP() << "kernel threads begin as the system likes";
  }
};

TEST_F(DepthFirst, InnerThreadsBeginBeforeTheNextOuterOne) {
  // On a loaded machine the monitor may take the worker for a stuck one, and send another.
  bool alone = false;
  for (int attempt = 0; attempt < 100 && !alone; attempt++) {
    count.store(0, relaxed);
    GOMP_parallel(outer, nullptr, kOuter, 0);
    ASSERT_EQ(count.load(relaxed), kOuter * kInner);
    alone = std::all_of(begun.begin(), begun.end(),
                        [](const Begun& one) { return one.carrier == begun[0].carrier; });
  }
  ASSERT_TRUE(alone);
  for (unsigned i = 1; i < begun.size(); i++) {
    EXPECT_EQ(begun[i].outer == begun[i - 1].outer, i % kInner != 0) << i;
  }
}

Atomic<Thread*> players[2];
Atomic<bool> last_has_begun{false};
Atomic<unsigned> turns{0};

// The first two threads make each other ready until the last one has begun.
void play(void* /*data*/) {
  Thread& thread = *tls_thread;
  const unsigned number = thread.member->num;
  if (number == 2) {
    last_has_begun.store(true, release);
    for (auto& player : players) resume(*player.load(acquire));
    return;
  }
  players[number].store(&thread, release);
  while (!last_has_begun.load(acquire)) {
    if (Thread* other = players[1 - number].load(acquire)) resume(*other);
    turns.store(turns.load(relaxed) + 1, relaxed);
    suspend(thread);
  }
}

TEST_F(DepthFirst, ButAnOuterThreadBeginsThoughOthersStayReady) {
  GOMP_parallel(play, nullptr, 3, 0);
  EXPECT_LT(turns.load(relaxed), 1000u);  // before the monitor came it was a million
}

}  // namespace
}  // namespace bobbin
