// SPDX-License-Identifier: Apache-2.0
#include "task/wait.h"

#include "sched/pool.h"
#include "task/strand.h"
#include "task/user_scheduler.h"
#include "team/task_hooks.h"

namespace bobbin {
namespace {

// Waits for tasks are short or very long, so their mean foretells nothing: spin for as long as a
// sleep and a wake-up would cost (see SpinBudget).
struct TaskWaitSpin {
  static constexpr uint64_t kSleepUs = 20;

  static uint64_t ticks() {
    uint64_t most = spin_limits.most.load(relaxed);
    uint64_t sleep = kSleepUs * ticks_per_us();
    return sleep < most ? sleep : most;
  }
  static void learn(uint64_t /*waited*/) {}
};

// While it waits, a thread looks for tasks more and more seldom: each look at a deque holds its
// owner up.
class TaskLooks {
 public:
  bool due() {
    if (++pauses_ < next_) return false;
    next_ = pauses_ + (pauses_ < kMostPauses ? pauses_ : kMostPauses);
    return true;
  }

 private:
  static constexpr unsigned kMostPauses = 32;
  unsigned pauses_ = 0;
  unsigned next_ = 2;
};

}  // namespace

void wait_for_zero(Thread& thread, Atomic<uint32_t>& waiting, uint32_t waiter_bit) {
  Team& team = *thread.member->team;
  auto done = [&] { return (waiting.load(acquire) & ~waiter_bit) == 0; };
  WaitsForTasks waits(thread);
  PatienceWithScheduler patience;
  while (!done()) {
    if (run_a_task(thread) || patience.wait(thread)) continue;
    bool found = false;
    TaskLooks looks;
    await(
        thread,
        [&] {
          if (done() || found) return true;
          // The thief of the task that is waited for makes tasks that help it along.
          found = looks.due() && tasks_queued(team) && run_a_task(thread);
          return found;
        },
        [&] {
          waiting.fetch_or(waiter_bit, acq_rel);
          team.barrier.asleep.set(thread.member->num);
          fence(seq_cst);
          // Announced, it looks once more: a task queued just before has found nobody to call.
          found = run_a_task(thread) || program_holds_tasks(thread);
        },
        TaskWaitSpin{});
    if ((waiting.load(relaxed) & waiter_bit) != 0) waiting.fetch_and(~waiter_bit, acq_rel);
    team.barrier.asleep.claim(thread.member->num);
  }
}

Thread& taskwait(Thread& thread) {
  Task& task = *thread.task;
  if (childless(task)) return thread;
  if (may_leave_thread(thread)) return leave_until_zero(thread, task.children);
  wait_for_zero(thread, task.children, kChildWaiter);
  return thread;
}

void taskyield(Thread& thread) {
  if (thread.member->team->has_tasks.load(relaxed) && run_a_task(thread)) return;
  yield(thread);
}

}  // namespace bobbin
