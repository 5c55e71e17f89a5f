// SPDX-License-Identifier: Apache-2.0
#include "task/modes/blocking/blocking.h"

#include "platform/watchers/happens_before.h"
#include "sched/workers/pool.h"
#include "task/model/continuation.h"
#include "task/wait/wait_loop.h"
#include "team/members/wait.h"
#include "team/model/task_hooks.h"

namespace bobbin {
namespace {

bool may_go_on(const Thread& thread, const Returner& returner) {
  return static_cast<const Continuation&>(returner).team == thread.member->team;
}

// The link to the first one that may go on in the innermost region; others belong to regions around
// it. nullptr: there is none.
Returner** find_returner(Thread& thread) {
  Returner** link = &thread.returning;
  for (; *link != nullptr; link = &(*link)->next_returner) {
    if (may_go_on(thread, **link)) return link;
  }
  for (*link = thread.returners.take_all_fifo(); *link != nullptr; link = &(*link)->next_returner) {
    if (may_go_on(thread, **link)) return link;
  }
  return nullptr;
}

// Does the thread run a continuation that may leave it now? Within a region that is nested in the
// continuation's task, it may not.
bool may_leave_for_now(const Thread& thread) {
  const Continuation* continuation = thread.continuation;
  return continuation != nullptr && continuation->keeps_thread &&
         continuation->team == thread.member->team;
}

struct Departing {
  Continuation& continuation;
  Blocker& blocker;
};

// All of the continuation is on its stack now, this argument too.
void wait_at(void* argument) {
  auto& [continuation, blocker] = *static_cast<Departing*>(argument);
  uintptr_t nobody = 0;
  if (!blocker.word.compare_exchange_strong(nobody, reinterpret_cast<uintptr_t>(&continuation),
                                            acq_rel, acquire)) {
    return_to_thread(continuation);  // it has been unblocked meanwhile
  }
}

void wait_on_thread(Thread& thread, Blocker& blocker) {
  uintptr_t nobody = 0;
  if (!blocker.word.compare_exchange_strong(
          nobody, reinterpret_cast<uintptr_t>(&thread) | Blocker::kThread, acq_rel, acquire)) {
    return;
  }
  run_tasks_until(
      thread, [&blocker] { return blocker.word.load(acquire) == Blocker::kUnblocked; }, [] {},
      [] {});
}

class ReturnersWait : public SleepAtBarrier {
 public:
  using SleepAtBarrier::SleepAtBarrier;

  bool over() const { return thread_.away == 0; }
  bool work() { return run_tasks_at_barrier(thread_); }
  bool worth_a_look() const { return tasks_in_sight(); }
};

}  // namespace

bool look_for_returner(Thread& thread) { return find_returner(thread) != nullptr; }

void run_returner(Thread& thread) {
  Returner** link = find_returner(thread);
  Returner* returner = *link;
  *link = returner->next_returner;
  thread.away--;
  run_as_continuation(thread, *static_cast<Continuation*>(returner)->task);
}

void await_returners(Thread& thread) { wait_in_team(thread, ReturnersWait(thread)); }

void return_to_thread(Continuation& continuation) {
  Thread& thread = *continuation.thread;  // read now: soon it may be running again
  thread.returners.push(&continuation);
  resume(thread);
}

void block(Thread& thread, Blocker& blocker) {
  if (blocker.word.load(acquire) != Blocker::kUnblocked) {
    if (may_leave_for_now(thread)) {
      Departing departing{*thread.continuation, blocker};
      leave_for(thread, wait_at, &departing);
    } else {
      wait_on_thread(thread, blocker);
    }
  }
  happens_after(&blocker);
}

void unblock(Blocker& blocker) {
  happens_before(&blocker);
  const uintptr_t waiter = blocker.word.exchange(Blocker::kUnblocked, acq_rel);
  if (waiter == 0) return;
  if ((waiter & Blocker::kThread) != 0) {
    resume(*reinterpret_cast<Thread*>(waiter & ~Blocker::kThread));
  } else {
    return_to_thread(*reinterpret_cast<Continuation*>(waiter));
  }
}

}  // namespace bobbin
