// SPDX-License-Identifier: Apache-2.0
// The functions with which the optional modes of tasks (task/modes/) take part where a task becomes
// ready, where a thread looks for one, and where it waits. The modes are task policies, the
// program's own schedulers, continuation stealing, transparent tasks and tasks for free agents.
// They define these functions, which are bound when linking. (The other points: a task is made,
// task/create/decision.h; it begins and ends, task/model/continuation.h.)
//
// Team::in_mode is normally false, and then nothing here is called. The thread that makes the first
// task of a mode sets the flag before that. A thread that is about to sleep has a fence before it
// looks for tasks, and the thread that queues a task has a fence after queueing it
// (task/run/ready.h). So the thread sees the flag if it must see the task.
#pragma once

#include <cstdint>

#include "task/run/sleep.h"
#include "team/team.h"

namespace bobbin {

class Completions;
struct Found;

inline bool in_mode(const Team& team) { return team.in_mode.load(relaxed); }

// A task is ready. True: a mode has queued it. False: the core must queue it.
bool queue_in_mode(Thread& thread, Team& team, Task& task);

// May the thread go on with the task, which is ready and has not been queued?
bool may_execute_in_mode(const Thread& thread, const Task& task);

// find_task() (task/run/find.h) for teams in a mode. `completions` are of the tasks that the thread
// has executed.
Found find_in_mode(Thread& thread, Completions& completions);

// The runtime has no task for the thread. Asks the program's schedulers for one and executes it.
// False: they gave none.
bool run_programs_task(Thread& thread, Sleep sleep);

// Do the modes hold queued tasks? A hint.
bool tasks_queued_in_mode(const Team& team);

// Does the program hold tasks that the group of the thread's task may wait for?
bool program_holds_tasks(const Thread& thread);

// What a thread in a task of a group does when it waits and the group's scheduler keeps tasks back.
class PatienceWithScheduler {
 public:
  // True: it has let some time pass, and the thread should ask again. Ends the program if tasks are
  // lost.
  bool wait(Thread& thread);

 private:
  uint64_t changes_ = 0;
  uint64_t since_ = 0;  // the time since which nothing runs; 0: something may run
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

// Called when a taskgroup of the program has ended whose tasks had a scheduler.
void end_scheduler_of(Thread& thread, const Taskgroup& group, UserScheduler& scheduler);

}  // namespace bobbin
