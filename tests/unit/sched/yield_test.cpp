// SPDX-License-Identifier: Apache-2.0
// The thread to which a yielding fiber gives way.
#include <gtest/gtest.h>

#include <cstdlib>

#include "platform/atomic.h"
#include "platform/clocks/clock.h"
#include "sched/workers/pool.h"
#include "team/members/member.h"
#include "team/model/thread.h"

extern "C" void GOMP_parallel(void (*function)(void*), void* data, unsigned threads,
                              unsigned flags);

namespace bobbin {
namespace {

Atomic<bool> last_has_begun{false};
Atomic<unsigned> yields{0};

// The first of three threads occupies one worker. The second one yields on the other worker to the
// third one, which is on the first worker's board.
void wait_for_last(void* /*data*/) {
  Thread& thread = *tls_thread;
  const unsigned num = thread.member->num;
  if (num == 2) last_has_begun.store(true, release);
  while (!last_has_begun.load(acquire)) {
    if (num == 0) {
      cpu_pause();
    } else {
      yield(thread);
      yields.store(yields.load(relaxed) + 1, relaxed);
    }
  }
}

TEST(Yield, ToWhatHasNotBegunElsewhere) {
  setenv("BOBBIN_WORKERS", "2", 1);
  GOMP_parallel(wait_for_last, nullptr, 3, 0);
  if (!provider.threads_move) GTEST_SKIP() << "threads do not yield to each other";
  EXPECT_LT(yields.load(relaxed), 1000u);  // before the monitor came it was some ten thousand
}

}  // namespace
}  // namespace bobbin
