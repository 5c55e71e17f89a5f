// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "task/run/modes.h"
#include "task/run/schedule.h"
#include "team/members/wait.h"
#include "team/model/task_hooks.h"
#include "team/model/team.h"

namespace bobbin {

// Waits for tasks are either short or very long, so their mean predicts nothing. A thread spins for
// as long as a sleep and a wake-up would cost (see SpinBudget).
struct TaskWaitSpin {
  static constexpr bool kLooksOutside = true;
  static constexpr uint64_t kSleepUs = 20;

  static uint64_t ticks() {
    uint64_t most = spin_limits.most.load(relaxed);
    uint64_t sleep = kSleepUs * ticks_per_us();
    return sleep < most ? sleep : most;
  }
  static void learn(uint64_t /*waited*/) {}
};

// While it waits, a thread looks for tasks less and less often, because each look at a deque delays
// the deque's owner.
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

// The wait for tasks, by a thread that the constraint keeps from executing some of the queued
// tasks. `done`, `announce` and `withdraw` belong to what it waits for.
//
// A thread whose bit in Barrier::asleep is set executes no task, because a wake-up that reached it
// then would be lost. The thread that clears the bit of another one wakes it for a task. The woken
// thread wakes one more sleeper, whether it finds a task or not. If nothing else is queued, it
// wakes nobody.
template <class Done, class Announce, class Withdraw>
class TaskWait {
 public:
  TaskWait(Thread& thread, Done& done, Announce& announce, Withdraw& withdraw)
      : thread_(thread), done_(done), announce_(announce), withdraw_(withdraw) {}
  ~TaskWait() {
    if (woken_) pass_wake_on(thread_);
  }
  TaskWait(const TaskWait&) = delete;
  TaskWait& operator=(const TaskWait&) = delete;

  bool over() { return done_(); }
  bool work() {
    const bool was_woken = std::exchange(woken_, false);
    if (run_a_task(thread_, was_woken ? Sleep::Ended : Sleep::None)) return true;
    expect_others(*thread_.member->team);
    if (was_woken) pass_wake_on(thread_);
    found_ = announced_ = false;
    looks_ = {};
    return modes_.wait();
  }
  bool worth_a_look() {
    if (done_() || found_ || has_returner(thread_)) return true;
    // The thief that executes the awaited task makes tasks that help it along.
    found_ =
        !announced_ && looks_.due() && tasks_queued(*thread_.member->team) && run_a_task(thread_);
    return found_;
  }
  void announce() {
    announce_();
    thread_.member->team->barrier.asleep.set(thread_.member->index);
    announced_ = true;
    fence(seq_cst);
    // A task queued just before has found no thread to wake.
    if (run_a_task(thread_, Sleep::Announced)) {
      announced_ = false;
      found_ = true;
    } else {
      found_ = modes_.keeps_back();
    }
  }
  void withdraw() {
    withdraw_();
    woken_ = announced_ && !thread_.member->team->barrier.asleep.claim(thread_.member->index);
  }
  TaskWaitSpin spin() const { return {}; }

 private:
  Thread& thread_;
  Done& done_;
  Announce& announce_;
  Withdraw& withdraw_;
  WaitInMode modes_{thread_};
  TaskLooks looks_;
  bool found_ = false;      // it is worth looking again at what is waited for
  bool announced_ = false;  // its bit has been set
  bool woken_ = false;      // its bit was cleared by another thread
};

// Executes tasks until done(). `announce` says that the thread is about to sleep. The thread that
// brings about what is waited for sees this and resumes it. `withdraw` takes that back.
template <class Done, class Announce, class Withdraw>
void run_tasks_until(Thread& thread, Done&& done, Announce&& announce, Withdraw&& withdraw) {
  wait_in_team(thread, TaskWait(thread, done, announce, withdraw));
}

}  // namespace bobbin
