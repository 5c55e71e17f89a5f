// SPDX-License-Identifier: Apache-2.0
// The part of a task that only few tasks have: dependences, priority, event, ICVs of its own.
#pragma once

#include "task/model/event.h"
#include "task/model/impex.h"
#include "team/model/team.h"
#include "team/queues/data_queue.h"

namespace bobbin {

struct DependNode;
struct DependTable;

// A data environment of the task's own, made when the task first changed an ICV. Earlier copies
// stay, because tasks made meanwhile have inherited them.
struct OwnIcvs {
  Icvs icvs;
  OwnIcvs* previous;
};

// For those that queue the task: teams that queue by data, and the program's scheduler.
struct Advice {
  DataNames data;
  uint64_t hint = 0;
};

// The tasks below a task in one of the trees of a shared queue: task/run/priority.h.
struct FamilyTree {
  Task* before;
  Task* after;
};

// For the youngest task of a family in a shared queue: the family's place in the tree by order.
struct FamilyLinks {
  FamilyTree by_order;
  uint64_t number;
};

// Fields that only few tasks have. They are allocated with the descriptor if that is known then,
// otherwise when needed. The fields that every dependent task uses come first. The task's data lie
// before them, so with up to 24 bytes of data all of it, descriptor, data and these fields, is in
// two lines for a thief to fetch.
struct TaskExtras {
  Team* team = nullptr;        // the team it is bound to
  DependNode* node = nullptr;  // it has dependences
  int priority = 0;
  bool detached = false;
  Impex next_impex = Impex::None;  // of its next dependent child: task/depend/transparent.h
  DependTable* table = nullptr;    // its children have dependences
  OwnIcvs* own_icvs = nullptr;
  void (*construct)(void*) = nullptr;  // the construct that it was made by: task/tuning/duration.h
  Event event;                         // detach clause
  union {
    Task* next_sibling = nullptr;  // this and the next two: for a shared queue, task/run/priority.h
    uint64_t block_ended;          // in ticks, for a debugger: since then it waits for its event
  };
  FamilyTree by_parent{};
  tool::TaskState* tool = nullptr;  // a tool has been told of the task
  union {
    Advice advice{};
    FamilyLinks family;  // once the task is in a shared queue
  };
};

// The task's extras, made if it has none; nullptr: out of memory.
TaskExtras* extras_of(Task& task);

}  // namespace bobbin
