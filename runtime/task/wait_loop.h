// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "sched/pool.h"
#include "task/schedule.h"
#include "task/user_scheduler.h"
#include "team/desertion.h"
#include "team/task_hooks.h"
#include "team/team.h"

namespace bobbin {

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

// Runs tasks that the constraint allows until done(), and sleeps where there are none.
// `announce` says that the thread is about to sleep, for whoever brings what it waits for, who then
// resumes it; `withdraw` takes that back.
//
// While its bit in Barrier::asleep is set the thread executes nothing, or a call for somebody who
// sleeps would be lost on it. Who has been called, for whoever calls takes the bit, passes the call
// on, whether it finds a task or not: if nothing is queued besides, nobody is called.
template <class Done, class Announce, class Withdraw>
void run_tasks_until(Thread& thread, Done&& done, Announce&& announce, Withdraw&& withdraw) {
  Team& team = *thread.member->team;
  WaitsForTasks waits(thread);
  PatienceWithScheduler patience;
  bool called = false;
  while (!done()) {
    const bool was_called = std::exchange(called, false);
    if (run_a_task(thread, was_called ? Sleep::Ended : Sleep::None)) continue;
    expect_others(team);
    if (was_called) pass_call_on(thread);
    if (patience.wait(thread)) continue;
    bool found = false;
    bool announced = false;
    TaskLooks looks;
    await(
        thread,
        [&] {
          if (done() || found) return true;
          // The thief of the task that is waited for makes tasks that help it along.
          found = !announced && looks.due() && tasks_queued(team) && run_a_task(thread);
          return found;
        },
        [&] {
          announce();
          team.barrier.asleep.set(thread.member->num);
          announced = true;
          fence(seq_cst);
          // Announced, it looks once more: a task queued just before has found nobody to call.
          if (run_a_task(thread, Sleep::Announced)) {
            announced = false;
            found = true;
          } else {
            found = program_holds_tasks(thread);
          }
        },
        TaskWaitSpin{});
    withdraw();
    called = announced && !team.barrier.asleep.claim(thread.member->num);
  }
  if (called) pass_call_on(thread);
}

}  // namespace bobbin
