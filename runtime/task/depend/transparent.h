// SPDX-License-Identifier: Apache-2.0
// Transparent tasks (OpenMP 6.0, section 17.9.6; the weak accesses of OmpSs-2): several tasks
// submit the parts of one graph at the same time, each into a table of its own.
//
// For each address x that the depend clauses of a transparent task T name there is a *port*: two
// nodes that are no tasks.
//   - The *exit* stands for T in its parent's table: it is the member of the generation at x that
//     an ordinary task would be itself. So what comes after T waits for the exit.
//   - The *entry* is what the children of an importing T find before them at x in T's table. It
//     registers with the predecessors that T would have had at x. T itself waits for none of them.
// When the structured block of T has ended, T's table gets no more children. Then each exit
// registers with the last generation at x in that table, which is the entry if no child named x. If
// T only imports, its exits register with the entries. If T only exports, T itself has already
// waited for the predecessors of its exits. Entries and exits are registered and completed as joins
// are, by the protocol of order.h, so the order goes through any depth of transparent tasks.
//
// Ownership. The thread that executes the parent makes both nodes, before T can begin. The exit
// belongs to the parent's table. Nobody touches its `blockers` before the thread that ends T
// registers it, while later nodes already register with its `successors`. The entry belongs to T's
// table, whose owner is the thread that executes T. T's children refer to T, T refers to its
// parent, and pending entries refer to T (GraphPorts). So no table goes before the nodes that
// others may still touch.
//
// An undeferred task that exports has nodes only once it has ended: one exit in its parent's table
// for each address that its children named.
//
// A task is not told of grandchildren. So a task that has made a transparent child, or that
// imports, may have no children and still have something to wait for: Task::order_goes_beyond.
//
// Which transparent tasks a thread may begin: transparent_order.h.
#pragma once

#include <utility>

#include "task/model/depend_list.h"
#include "task/model/extras.h"
#include "task/model/impex.h"

namespace bobbin {

struct GraphPort;

// Sets the impex of the next child of the current task that has dependences or is undeferred.
// False: out of memory.
bool set_next_impex(Thread& thread, Impex impex);
// Takes it: the next child after that has none.
inline Impex take_impex(Thread& thread) {
  if (!thread.task->order_goes_beyond) [[likely]]
    return Impex::None;
  TaskExtras* extras = thread.task->extras;
  return extras == nullptr ? Impex::None : std::exchange(extras->next_impex, Impex::None);
}

// register_dependences() for a transparent task.
bool register_transparent(Thread& thread, Task& task, const DependList& depend, Impex impex);

// A transparent task has ended: its exit at this port waits for what must come before it. True: it
// waits for nothing.
bool register_exit(Thread& thread, Task& task, const GraphPort& port);

// Called when an undeferred task that exports begins.
void begin_exporting(Task& task);
// Called when it ends, as the current task. At the addresses that its children name, children that
// its parent makes from now on come after them.
void export_children(Thread& thread);

}  // namespace bobbin
