// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sched/data_queue.h"
#include "task/detach.h"
#include "task/impex.h"
#include "team/team.h"

namespace bobbin {

struct DependNode;
struct DependTable;

// A data environment of its own, made when the task first changed an ICV. Those before it stay:
// tasks made meanwhile inherited them.
struct OwnIcvs {
  Icvs icvs;
  OwnIcvs* previous;
};

// What only few tasks have; allocated with the descriptor where it is known then, else when needed.
struct TaskExtras {
  Team* team = nullptr;          // the team it is bound to
  DependNode* node = nullptr;    // it has dependences
  DependTable* table = nullptr;  // its children have
  OwnIcvs* own_icvs = nullptr;
  Event event;                         // detach clause
  void (*construct)(void*) = nullptr;  // that it was made by: task/duration.h
  bool detached = false;
  Impex next_impex = Impex::None;  // of its next dependent child: task/transparent.h
  int priority = 0;
  Task* next_of_priority = nullptr;  // links in a team's queue: task/priority.h
  Task* last_of_priority = nullptr;
  Task* next_priority = nullptr;
  DataNames data;     // where the team queues by data or the program schedules
  uint64_t hint = 0;  // to the program's scheduler
};

// The task's, made if it has none; nullptr when out of memory.
TaskExtras* extras_of(Task& task);

}  // namespace bobbin
