// SPDX-License-Identifier: Apache-2.0
// What the optional modes of tasks (task/modes/) answer where a task becomes ready, where a thread
// looks for one, and where it waits. The modes are task policies, the program's own schedulers,
// continuation stealing and transparent tasks. They define these functions, which are bound when
// linking. (The other points: a task is made, task/create/decision.h; it begins and ends,
// task/model/continuation.h.)
//
// Team::in_mode is false as a rule, and then nothing here is called. Whoever makes the first task
// that a mode takes care of sets it before that. A thread that looks for tasks before it sleeps has
// a fence in between, as has the one that queues the task (task/run/ready.h), so it sees the flag
// if it is to see the task.
#pragma once

#include <cstdint>

#include "task/run/sleep.h"
#include "team/team.h"

namespace bobbin {

class Completions;
struct Found;

inline bool in_mode(const Team& team) { return team.in_mode.load(relaxed); }

// A task is ready. True: a mode has queued it. False: the core is to do that.
bool queue_in_mode(Thread& thread, Team& team, Task& task);

// find_task() (task/run/find.h) for teams in a mode. `completions` of what the thread has executed.
Found find_in_mode(Thread& thread, Completions& completions);

// The runtime has no task for the thread. Asks the program's schedulers for one and executes it.
// False: they gave none.
bool run_programs_task(Thread& thread, Sleep sleep);

// Have the modes tasks that are queued? A hint.
bool tasks_queued_in_mode(const Team& team);

// Has the program tasks that the group of the thread's task may wait for?
bool program_holds_tasks(const Thread& thread);

// What a thread of a group's task does where it waits and its scheduler keeps tasks back.
class PatienceWithScheduler {
 public:
  // True: it has let some time pass, and the thread shall ask again. Ends the program if tasks are
  // lost.
  bool wait(Thread& thread);

 private:
  uint64_t changes_ = 0;
  uint64_t since_ = 0;  // when it became certain that nothing runs; 0: something may
};

// A thread that waits for tasks does not count as running in the program's scheduler.
class WaitsForTasks {
 public:
  explicit WaitsForTasks(Thread& thread);
  ~WaitsForTasks();
  WaitsForTasks(const WaitsForTasks&) = delete;
  WaitsForTasks& operator=(const WaitsForTasks&) = delete;

 private:
  Thread& thread_;
  UserScheduler* counted_;
};

// A taskgroup of the program has ended whose tasks had a scheduler.
void end_scheduler_of(Thread& thread, const Taskgroup& group, UserScheduler& scheduler);

}  // namespace bobbin
