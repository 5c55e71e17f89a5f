// SPDX-License-Identifier: Apache-2.0
#include "sched/kernel_threads/child_process.h"

#include <unistd.h>

#include "fiber/tls/tls_block.h"
#include "platform/locks/fork_lock.h"
#include "sched/monitor/monitor.h"
#include "sched/monitor/unhandled_signals.h"
#include "sched/places/post_to_place.h"
#include "sched/places/processor_changes.h"
#include "sched/workers/pool_state.h"

namespace bobbin {
namespace {

void keep_only(const Worker* survivor) {
  unsigned count = pool.highest.load(relaxed);
  for (unsigned i = 0; i < count; i++) {
    Worker* worker = pool.registry[i].load(relaxed);
    if (worker == nullptr) continue;
    // The thread that forked may be inside regions that were forked on any of the workers.
    worker->tickets.go_on_alone();
    // The other records are not freed: teams that the other threads held may point to them.
    if (worker != survivor) pool.registry[i].store(nullptr, relaxed);
  }
  pool.highest.store(survivor != nullptr ? survivor->index + 1 : 0, relaxed);
  for (unsigned i = 0; i < kMaxHelpers; i++) {
    if (pool.helpers[i].load(relaxed) == nullptr && !pool.idle.has(i)) continue;
    pool.idle.claim(i);
    pool.helpers[i].store(nullptr, relaxed);
  }
  pool.helper_count.store(0, relaxed);
  pool.no_more_threads.clear();
  go_on_following_in_child();
  whereabouts.go_on_in_child();
  pool.standby = nullptr;
  forget_standby_on_its_way();
  forget_unhandled();
  forget_monitor_after_fork();
}

// Only the thread that forked exists in the child. The fibers that were ready on its worker
// (siblings and threads of other roots) must not run there: they would do a second time what they
// do in the parent.
void drop_what_waits(Worker& survivor) {
  while (survivor.ready.take_oldest() != nullptr) {
  }
  survivor.inbox.take_all();
  if (threads_are_bound) empty_places();
  survivor.home_ready.store(nullptr, relaxed);
  survivor.reserve.store(nullptr, relaxed);  // its stand-in exists only in the parent
  survivor.hint.store(nullptr, relaxed);
}

// A kernel thread of the pool carried the fiber that forked, and it is all that is left of the
// contention group. So it takes the place of the root's kernel thread, to which fibers go that no
// other worker takes. The root's own fiber keeps its home, because it never runs again
// (team/members/fork_child.h), unless it is the fiber that forked.
void take_the_roots_place(Worker& carrier, Fiber& fiber) {
  Group& group = *fiber.group.load(relaxed);
  carrier.kind = WorkerKind::Root;
  carrier.helper = kNoHelper;
  carrier.retiring.store(false, relaxed);  // it may have been about to end
  carrier.group = &group;
  if (!carrier.carries_others) carrier.inbox.reopen();  // a kept thread's
  group.home = &carrier;
}

// The kernel thread is now the first one of the process, and has another id.
void carry_on(Worker& carrier, Fiber& fiber) {
  drop_what_waits(carrier);
  carrier.kernel_thread = getpid();
  if (carrier.native_tls != current_thread_pointer()) keep_carrier_after_fork(carrier.native_tls);
  if (provider.threads_move && carrier.kind != WorkerKind::Root) {
    take_the_roots_place(carrier, fiber);
  }
}

void start_afresh() {
  Fiber* forking = current_fiber();  // nullptr: the thread has never called into the runtime
  keep_only(forking != nullptr ? forking->worker : nullptr);
  if (forking != nullptr) carry_on(*forking->worker, *forking);
}

}  // namespace

void init_pool_fork_lock() { add_fork_lock(held_across_fork<pool.lock, start_afresh>); }

}  // namespace bobbin
