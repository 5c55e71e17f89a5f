// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sched/data_queue.h"
#include "task/model/event.h"
#include "task/model/impex.h"
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

// To who queues the task: to teams that queue by data, and to the program's scheduler.
struct Advice {
  DataNames data;
  uint64_t hint = 0;
};

// Below a task in one of the trees of a shared queue: task/run/priority.h.
struct FamilyTree {
  Task* before;
  Task* after;
};

// Of the youngest task of a family in a shared queue, and its place in the tree by order.
struct FamilyLinks {
  FamilyTree by_order;
  uint64_t number;
};

// What only few tasks have; allocated with the descriptor where it is known then, else when needed.
// What every dependent task uses comes first. Its data lie before that, so that with up to 24 bytes
// of them all of it, descriptor, data and this, is in two lines for a thief to fetch.
struct TaskExtras {
  Team* team = nullptr;        // the team it is bound to
  DependNode* node = nullptr;  // it has dependences
  int priority = 0;
  bool detached = false;
  Impex next_impex = Impex::None;  // of its next dependent child: task/depend/transparent.h
  DependTable* table = nullptr;    // its children have dependences
  OwnIcvs* own_icvs = nullptr;
  void (*construct)(void*) = nullptr;  // that it was made by: task/tuning/duration.h
  Event event;                         // detach clause
  Task* next_sibling = nullptr;        // in a shared queue, as the following: task/run/priority.h
  FamilyTree by_parent{};
  union {
    Advice advice{};
    FamilyLinks family;  // once the task is in a shared queue
  };
};

// The task's, made if it has none; nullptr when out of memory.
TaskExtras* extras_of(Task& task);

}  // namespace bobbin
