// SPDX-License-Identifier: Apache-2.0
#include "sched/child_process.h"

#include <unistd.h>

#include "fiber/tls_block.h"
#include "platform/fork_lock.h"
#include "sched/errands.h"
#include "sched/monitor.h"
#include "sched/pool_state.h"

namespace bobbin {
namespace {

void keep_only(const Worker* survivor) {
  unsigned count = pool.highest.load(relaxed);
  for (unsigned i = 0; i < count; i++) {
    Worker* worker = pool.registry[i].load(relaxed);
    if (worker == nullptr) continue;
    // A region around the thread that forked may have been forked on any of them.
    worker->tickets.go_on_alone();
    // The records of the others are left alone: teams in their threads' hands may point to them.
    if (worker != survivor) pool.registry[i].store(nullptr, relaxed);
  }
  pool.highest.store(survivor != nullptr ? survivor->index + 1 : 0, relaxed);
  for (unsigned i = 0; i < pool.most_helpers; i++) {
    pool.idle.claim(i);
    pool.helpers[i].store(nullptr, relaxed);
  }
  pool.helper_count.store(0, relaxed);
  pool.no_more_threads.clear();
  pool.standby = nullptr;
  forget_resting_on_its_way();
  forget_errands();
  forget_monitor_after_fork();
}

// Of all threads the child has the one that forked. What was ready to run where that one did,
// siblings and threads of other roots alike, would do there once more what it does in the parent.
void drop_what_waits(Worker& survivor) {
  while (survivor.ready.take_oldest() != nullptr) {
  }
  survivor.inbox.take_all();
  survivor.home_ready.store(nullptr, relaxed);
  survivor.reserve.store(nullptr, relaxed);  // its stand-in is the parent's
  survivor.hint.store(nullptr, relaxed);
}

// One of the pool's own kernel threads carried the fiber that forked, and is all there is now of
// the contention group: it stands where the root's stood, where fibers go that nobody else takes.
// The root's own fiber keeps its home, for it goes on no more (team/fork_child.h), unless it is the
// one that forked.
void take_the_roots_place(Worker& carrier, Fiber& fiber) {
  Group& group = *fiber.group.load(relaxed);
  carrier.kind = WorkerKind::Root;
  carrier.helper = kNoHelper;
  carrier.retiring.store(false, relaxed);  // it may have been about to end
  carrier.group = &group;
  group.home = &carrier;
}

// The kernel thread is the process's first now, and has another id.
void carry_on(Worker& carrier, Fiber& fiber) {
  drop_what_waits(carrier);
  carrier.kernel_thread = getpid();
  if (carrier.native_tls != current_thread_pointer()) keep_carrier_after_fork(carrier.native_tls);
  if (carrier.kind == WorkerKind::Helper || carrier.kind == WorkerKind::Spare) {
    take_the_roots_place(carrier, fiber);
  }
}

void start_afresh() {
  Fiber* forking = current_fiber();  // nullptr: a thread that has nothing to do with the runtime
  keep_only(forking != nullptr ? forking->worker : nullptr);
  if (forking != nullptr) carry_on(*forking->worker, *forking);
}

}  // namespace

void init_pool_fork_lock() { add_fork_lock(held_across_fork<pool.lock, start_afresh>); }

}  // namespace bobbin
