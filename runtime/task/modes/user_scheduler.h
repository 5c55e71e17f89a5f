// SPDX-License-Identifier: Apache-2.0
// A program's own scheduler for the tasks of a taskgroup: bobbin_set_taskgroup_scheduler of
// bobbin.h, which tells its contract.
//
// The program never sees a task, only a handle: a number that names a slot in a table of the
// scheduler's, and how often the slot has been used. So whatever a callback returns can be looked
// up without believing it.
//
// A lost task is one that the callbacks do not give although nothing is running that could make
// them change their mind. `running` counts the threads that are in the program's code on behalf of
// the group: its owner, until it waits, and those in a task of it, unless they wait in turn. So
// does a task that was given to a thread which may not begin it, and waits for one that may. Where
// it is zero, no `ready` is under way, tasks are held and a second of asking changes nothing, the
// program has broken the contract.
#pragma once

#include "bobbin/bobbin.h"
#include "platform/spinlock.h"
#include "task/model/taskgroup.h"
#include "team/team.h"

namespace bobbin {

struct UserScheduler {
  // Constant while it is in its team's list.
  bobbin_scheduler calls{};
  void* user = nullptr;
  Taskgroup* group = nullptr;               // that it was set for
  UserScheduler* outer = nullptr;           // of the taskgroup around that one
  UserScheduler* counted_before = nullptr;  // its owner's Member::counted_in

  // Under Team::scheduler_lock.
  UserScheduler* next = nullptr;
  unsigned visitors = 0;    // threads that are asking; tasks given that have not come to their end
  bool struck_off = false;  // of the list

  struct Slot {
    Task* task;          // that the program has; null: the slot is free
    uint32_t uses;       // by which a handle of an earlier use is known
    uint32_t next_free;  // number of the slot plus one
  };
  SpinLock lock;
  // Under the lock.
  Slot* slots = nullptr;
  uint32_t slot_count = 0;
  uint32_t slot_capacity = 0;
  uint32_t first_free = 0;

  Atomic<int64_t> held{0};      // tasks that the program has
  Atomic<uint64_t> changes{0};  // tasks handed to it and taken back
  Atomic<uint32_t> handing{0};  // calls of `ready` under way
  Atomic<uint32_t> running{0};  // see above
};

// False: the current task has begun no taskgroup of its own, or one that has a scheduler or tasks.
bool set_taskgroup_scheduler(Thread& thread, const bobbin_scheduler& calls, void* user);

// Of the task that the thread creates next.
void set_task_hint(Thread& thread, uint64_t hint);

// Hands a task over that is ready. False: no memory for that.
bool hand_to_program(Thread& thread, Team& team, UserScheduler& scheduler, Task& task);

// Is it worth to ask? News of a scheduler that has ended are none: nobody would ask and so find
// out.
inline bool scheduler_may_give(const Team& team) {
  return team.scheduler_has_news.load(relaxed) && team.user_schedulers.load(relaxed) != nullptr;
}

// Counts in the scheduler and those around it: one more thread is in the program's code on their
// behalf, or one less.
void count_running(UserScheduler* scheduler);
void count_not_running(UserScheduler* scheduler);

// The task of that handle, which the program then has no more; nullptr if it has not.
Task* redeem(UserScheduler& scheduler, bobbin_task handle);

}  // namespace bobbin
