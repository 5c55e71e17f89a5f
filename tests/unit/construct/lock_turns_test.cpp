// SPDX-License-Identifier: Apache-2.0
// Threads poll inside critical sections for a change by another thread, which must get its turn.
#include <gtest/gtest.h>

#include <cstdlib>

#include "construct/locks/lock.h"
#include "platform/atomic.h"
#include "sched/workers/pool.h"
#include "team/members/member.h"
#include "team/model/thread.h"

extern "C" void GOMP_parallel(void (*function)(void*), void* data, unsigned threads,
                              unsigned flags);

namespace bobbin {
namespace {

Lock lock;
bool last_has_begun = false;  // protected by the lock
Atomic<unsigned> found_held{0};

// The first two of three threads keep both workers.
void look_for_last(void* /*data*/) {
  Thread& thread = *tls_thread;
  const bool last = thread.member->num == 2;
  for (bool begun = false; !begun;) {
    lock.lock();
    if (last) last_has_begun = true;
    begun = last_has_begun;
    lock.unlock();
  }
  if (!last) found_held.fetch_add(thread.worker->locks_found_held, relaxed);
}

TEST(LockTurns, WhoLooksLetsWhatItLooksForBegin) {
  setenv("BOBBIN_WORKERS", "2", 1);
  GOMP_parallel(look_for_last, nullptr, 3, 0);
  if (!provider.threads_move) GTEST_SKIP() << "threads do not yield to each other";
  EXPECT_LT(found_held.load(relaxed), 300u);  // before the monitor came it was some thousand
}

}  // namespace
}  // namespace bobbin
