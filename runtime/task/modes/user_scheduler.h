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
#include "platform/locks/spinlock.h"
#include "task/model/taskgroup.h"
#include "task/run/modes.h"

namespace bobbin {

struct UserScheduler {
  // Constant while it is in its team's list.
  bobbin_scheduler calls{};
  void* user = nullptr;
  Taskgroup* group = nullptr;               // the one that it was set for
  UserScheduler* outer = nullptr;           // of the taskgroup around that one
  UserScheduler* counted_before = nullptr;  // its owner's Member::counted_in

  // Under ProgramMode's lock.
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

// The program's scheduler for tasks of the group. nullptr: the runtime's own schedules them, and
// also those of a scope, which may outlive a taskgroup around it.
inline UserScheduler* scheduler_of(const Taskgroup* group) {
  if (group == nullptr || (group->state.load(relaxed) & kScheduled) == 0) return nullptr;
  return group->scheduler;
}

// The schedulers of a team's taskgroups. Its shared queue has the tasks that a thread was given and
// may not begin.
class ProgramMode final : public Mode {
 public:
  static constexpr ModeRank kRank = ModeRank::Program;
  ProgramMode() : Mode(kRank) {}

  void enlist(UserScheduler& scheduler);
  void strike_off(UserScheduler& scheduler);
  // Nobody asks a scheduler that was struck off, or hands it a task, any more.
  bool is_left_alone(const UserScheduler& scheduler);

  Deferral defers(Thread& thread, bool tied) override;
  bool orders(const Thread& thread) override;
  bool needs_extras(const Thread& thread, const TaskSpec& spec) override;
  void make(Thread& thread, Task& task, const TaskSpec& spec) override;
  bool may_go_on(const Thread& thread, const Task& task) override;
  bool queue(Thread& thread, Team& team, Task& task) override;
  Task* find(Thread& thread) override;
  bool run_another(Thread& thread, Sleep sleep) override;
  bool holds(const Team& team) override;
  void begin_wait(Thread& thread, WaitNotes& notes) override;
  void end_wait(Thread& thread, WaitNotes& notes) override;
  bool keeps_back(const Thread& thread) override;
  bool wait(Thread& thread, WaitNotes& notes) override;
  void begin_group(Thread& thread, Taskgroup& group) override;
  void end_group(Thread& thread, Taskgroup& group) override;
  void go_on_alone(Team& team) override;

 private:
  bool hand_over(const Thread& thread, const Team& team, UserScheduler& scheduler, Task& task);
  UserScheduler* visit_first();
  UserScheduler* visit_next(UserScheduler& visited);
  void leave(UserScheduler& visited);
  void execute_given(Thread& thread, UserScheduler& scheduler, Task& task);

  Atomic<bool> has_news_{false};                // a scheduler may have a task to give
  Atomic<UserScheduler*> schedulers_{nullptr};  // written under the lock
  SpinLock lock_;
};

// Counts in the scheduler and those around it: one more thread is in the program's code on their
// behalf, or one less.
void count_running(UserScheduler* scheduler);
void count_not_running(UserScheduler* scheduler);

// The task of that handle, which the program then no longer has; nullptr: it does not have that
// task.
Task* redeem(UserScheduler& scheduler, bobbin_task handle);

}  // namespace bobbin
