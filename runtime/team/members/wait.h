// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sched/workers/pool.h"
#include "team/members/fork_child.h"
#include "team/model/task_hooks.h"
#include "team/model/team.h"

namespace bobbin {

// How a thread waits for other threads of its team: at a barrier, at the join, for tasks. It
// executes tasks. When it finds none, its worker carries other threads, spins or sleeps. A Wait
// defines what differs:
//   bool over()          The wait is over. This call itself may end it.
//   bool work()          True: the thread has executed a task or has ended the wait.
//   bool worth_a_look()  A hint that over() or work() may return true. While it holds the thread
//                        does not sleep, so it must not hold when neither will return true.
//   void announce()      The thread is about to sleep. A thread that makes worth_a_look() true from
//                        now on finds this and resumes the sleeper (await).
//   void withdraw()      The thread no longer sleeps.
//   auto spin()          How long it is worth to spin before sleeping (await).
template <class Wait>
void wait_in_team(Thread& thread, Wait&& wait) {
  const Team& team = *thread.member->team;
  WaitBegin begin;
  while (!wait.over()) {
    if (wait.work()) continue;
    expect_others(team);
    await(
        thread, begin, [&] { return wait.worth_a_look(); }, [&] { wait.announce(); }, wait.spin());
    wait.withdraw();
  }
}

// The common part of the waits at barriers and joins: the thread sleeps by its bit in
// Barrier::asleep, and spins for as long as its worker has learnt from earlier waits.
class SleepAtBarrier {
 public:
  explicit SleepAtBarrier(Thread& thread) : thread_(thread), team_(*thread.member->team) {}

  void announce() { team_.barrier.asleep.set(thread_.member->index); }
  void withdraw() { team_.barrier.asleep.claim(thread_.member->index); }
  LearntSpin spin() const { return LearntSpin{thread_}; }

 protected:
  // Is there something that the thread could execute? A hint.
  bool tasks_in_sight() const { return tasks_queued(team_) || has_returner(thread_); }

  Thread& thread_;
  Team& team_;
};

}  // namespace bobbin
