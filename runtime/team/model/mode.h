// SPDX-License-Identifier: Apache-2.0
// A mode is an optional way to schedule the tasks of a team: task policies, the program's own
// schedulers, continuation stealing, transparent tasks, tasks for free agents (task/modes/),
// recorded graphs (task/graph/). It consists of the functions below, in the order of a task's life.
// Each of them does by default what is done without the mode, so a mode defines those that it
// needs.
//
// Team::mode is normally null. Then nothing here is called, and nothing in the core knows of modes.
// Otherwise it is the first of those that take part in the region, and the core asks one after the
// other (task/run/modes.h).
//
// Invariant: the list grows from the begin of a region to its end, under Team::modes_lock, and is
// read without the lock. A mode takes part before the first task of it is made. A thread that is
// about to sleep has a fence before it looks for tasks, and the thread that queues a task has a
// fence after queueing it (task/run/ready.h). So the thread sees the mode if it must see the task.
#pragma once

#include <cstdint>

#include "team/model/shared_queue.h"

namespace bobbin {

class Completions;
struct Found;
struct Member;
struct Taskgroup;
struct TaskSpec;
struct Task;
struct Thread;
struct UserScheduler;
enum class Decision : uint8_t;  // of task/model/task_spec.h
enum class Sleep : uint8_t;     // of task/run/sleep.h

// What there is, and in which order a team's modes are asked.
enum class ModeRank : uint8_t {
  Program,       // task/modes/user_scheduler.h
  Transparent,   // task/modes/transparent_order.h
  Continuation,  // task/modes/continuation_mode.h
  Policy,        // task/modes/policy.h
  Pool,          // task/modes/pool_tasks.h
  Graph,         // task/graph/graph_mode.h
  Other,         // of a test
};

// What a mode says of a task of which nothing else decides whether it is deferred.
enum class Deferral : uint8_t {
  Unsaid,
  No,
  Yes,
  Always,  // however many there are
};

// What the modes note of a wait for tasks, on the stack of the thread that waits.
struct WaitNotes {
  UserScheduler* counted = nullptr;
  uint64_t changes = 0;
  uint64_t since = 0;
};

class Mode {
 public:
  explicit Mode(ModeRank its_rank) : rank(its_rank) {}
  Mode(const Mode&) = delete;
  Mode& operator=(const Mode&) = delete;

  const ModeRank rank;
  Atomic<Mode*> next{nullptr};
  SharedQueue tasks;  // those that it keeps for the team's threads

  // --- The current task is one with Task::collects. It encounters a task construct. True: the mode
  // has noted the task, and nothing else is to be done.
  virtual bool collect(Thread& thread, const TaskSpec& spec);
  // It encounters something else that concerns tasks, of that name.
  virtual void encounter(Thread& thread, const char* what);

  // --- A task construct is to be decided on: for a task without dependences, priority or event.
  virtual Deferral defers(Thread& thread, bool tied);
  virtual Decision decide(Thread& thread, const TaskSpec& spec);
  // It has said ByMode: makes the task and begins it. False: nothing has been done.
  virtual bool create(Thread& thread, const TaskSpec& spec);
  // Does it order the tasks that the current task makes, so that none may begin before its turn?
  virtual bool orders(const Thread& thread);

  // --- A deferred task is made.
  virtual bool needs_extras(const Thread& thread, const TaskSpec& spec);
  virtual void make(Thread& thread, Task& task, const TaskSpec& spec);

  // --- It is ready. May the thread go on with it at once, so that it need not be queued?
  virtual bool may_go_on(const Thread& thread, const Task& task);
  // The thread does.
  virtual void follow(Thread& thread, const Task& task);
  // True: the mode has queued it. `team`: the task's, which need not be the thread's.
  virtual bool queue(Thread& thread, Team& team, Task& task);

  // --- The structured block of a task with Task::kept has ended. The mode makes those ready that
  // waited for it, and returns one of them, or nullptr.
  virtual Task* follow_up(Thread& thread, Task& task);

  // --- A thread looks for a task. Does the mode search alone for it?
  virtual bool searches(const Thread& thread);
  virtual Found search(Thread& thread, Completions& completions);
  // Otherwise: takes one of those that are in no member's queue. nullptr: there is none.
  virtual Task* find(Thread& thread);
  // None was found. True: the mode had one, or knows where to look again.
  virtual bool run_another(Thread& thread, Sleep sleep);
  // Does it hold queued tasks? A hint.
  virtual bool holds(const Team& team);

  // --- A thread waits for tasks.
  virtual void begin_wait(Thread& thread, WaitNotes& notes);
  virtual void end_wait(Thread& thread, WaitNotes& notes);
  // Does it hold tasks that the current task's group may wait for?
  virtual bool keeps_back(const Thread& thread);
  // It does. True: some time has passed, and the thread should ask again.
  virtual bool wait(Thread& thread, WaitNotes& notes);

  // --- A taskgroup begins within another one of the mode, and ends.
  virtual void begin_group(Thread& thread, Taskgroup& group);
  virtual void end_group(Thread& thread, Taskgroup& group);

  // --- A member begins its part of a region. A mode that changes the member's own settings sets
  // Member::arranged_by to itself, and let_go() restores them before the member's next part.
  virtual void arrange(Member& member);
  virtual void let_go(Member& member);

  // --- In the child of a fork.
  virtual void go_on_alone(Team& team);

 protected:
  ~Mode() = default;
};

}  // namespace bobbin
