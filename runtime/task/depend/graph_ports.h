// SPDX-License-Identifier: Apache-2.0
// The ports of a transparent task: for each address that it names, one node for what comes before
// its children, and one for what comes after them.
#pragma once

#include "platform/atomic.h"
#include "task/model/depend_list.h"
#include "task/model/impex.h"
#include "team/model/team.h"

namespace bobbin {

struct DependNode;

// One address of a transparent task's depend clauses: where the order outside of the task continues
// inside it, and where it comes out again. See transparent.h.
struct GraphPort {
  Dependence dependence;  // the strictest of those that name the address
  DependNode* entry;      // in the task's own table; nullptr: there is nothing to wait for
  DependNode* exit;       // in its parent's table
  struct GraphPorts* all;
  GraphPort* next_completed;  // link in the list of the thread that has completed the entry
};

// The ports of one task. They are destroyed with its table.
struct GraphPorts {
  Task* task;
  Impex impex;
  Team* team;  // the team that counts them: see units_of
  uint64_t own_units;
  // The number of entries that have not completed, plus one while they are made. Together they hold
  // a reference to the task, because their nodes, and what follows them, lie in its table.
  Atomic<uint32_t> pending_entries{0};
  uint32_t count = 0;

  GraphPort* items() { return reinterpret_cast<GraphPort*>(this + 1); }

  // For BOBBIN_TASK_MEMORY (task/memory/bulk.h): the table and, for each address, two nodes and a
  // place in the table. They may still be there when the task has long completed.
  static uint64_t units_of(size_t count) { return 4 + count / 2; }
};

// Called by the member that makes the task. nullptr: out of memory.
GraphPorts* make_ports(Member& member, Task& task, Impex impex, size_t count);
void destroy_ports(GraphPorts* ports);

// The order has gone through the entry, and all that follows from it has been done.
void leave_entry(const GraphPort& port);

}  // namespace bobbin
