// SPDX-License-Identifier: Apache-2.0
// A program's own scheduler for the tasks of a taskgroup: bobbin_set_taskgroup_scheduler of
// bobbin.h, which states its contract.
//
// The program never sees a task, only a handle: the number of a slot in a table of the scheduler,
// and how often the slot has been used. So any value that a callback returns can be checked.
//
// A task is lost if the callbacks do not give it although nothing is running that could change
// their answer. `running` counts the threads that are in the program's code on behalf of the group:
// its owner, until it waits, and those in a task of the group, unless they wait in turn. A task
// that was given to a thread which may not begin it, and waits for one that may, is counted, too.
// If `running` is zero, no `ready` is under way, tasks are held and a second of asking changes
// nothing, then the program has broken the contract.
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
  Taskgroup* group = nullptr;               // the one that it was set for
  UserScheduler* outer = nullptr;           // of the taskgroup around that one
  UserScheduler* counted_before = nullptr;  // its owner's Member::counted_in

  // Under Team::scheduler_lock.
  UserScheduler* next = nullptr;
  unsigned visitors = 0;    // threads that are asking; given tasks that have not ended
  bool struck_off = false;  // removed from the list

  struct Slot {
    Task* task;          // the program has it; null: the slot is free
    uint32_t uses;       // tells a handle of an earlier use
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

// Sets the hint for the task that the thread creates next.
void set_task_hint(Thread& thread, uint64_t hint);

// Hands over a ready task. False: no memory for that.
bool hand_to_program(Thread& thread, Team& team, UserScheduler& scheduler, Task& task);

// Is it worth asking? News of a scheduler that has ended do not count, because nobody would ask and
// so clear them.
inline bool scheduler_may_give(const Team& team) {
  return team.scheduler_has_news.load(relaxed) && team.user_schedulers.load(relaxed) != nullptr;
}

// Counts in the scheduler and those around it: one more thread is in the program's code on their
// behalf, or one less.
void count_running(UserScheduler* scheduler);
void count_not_running(UserScheduler* scheduler);

// The task of that handle, which the program then no longer has; nullptr: it does not have that
// task.
Task* redeem(UserScheduler& scheduler, bobbin_task handle);

}  // namespace bobbin
