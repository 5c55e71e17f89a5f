// SPDX-License-Identifier: Apache-2.0
// Transparent tasks (OpenMP 6.0, section 17.9.6; the weak accesses of OmpSs-2): several tasks
// submit the parts of one graph, each into a table of its own, at the same time.
//
// For each address x that the depend clauses of a transparent task T name there is a *port*: two
// nodes that are no tasks.
//   - The *exit* stands for T in its parent's table: it is the member of the generation at x that a
//     usual task would be itself. So what comes after T waits for the exit.
//   - The *entry* is what the children of an importing T find before them at x in T's table. It
//     registers with the predecessors that T would have had at x. T itself waits for none.
// When the structured block of T has ended, T's table gets no more children, and each exit
// registers with the last generation at x in it; that is the entry if no child named x. An exit of
// a task that only imports registers with the entry, and that of one that only exports has waited
// with T itself. Entries and exits are registered and completed as joins are, by the protocol of
// depend_order.h, so the order goes through any depth of transparent tasks.
//
// Who owns what. Both nodes are made by the thread that executes the parent, before T can begin.
// The exit is the parent's; its `blockers` nobody touches before the thread that ends T registers
// it, while later nodes already register with its `successors`. The entry belongs to T's table,
// whose owner is whoever executes T. T's children refer to T, T to its parent, and pending entries
// refer to T (GraphPorts): no table goes before the nodes that others may still touch.
//
// An undeferred task that exports has nodes only once it has ended: one exit in its parent's table
// for each address that its children named.
//
// A task is not told of grandchildren. So one that has made a transparent child, and one that
// imports, cannot conclude from having no children that there is nothing to wait for:
// Task::order_goes_beyond.
//
// Which transparent tasks a thread may begin: transparent_order.h.
#pragma once

#include <utility>

#include "task/model/depend_list.h"
#include "task/model/extras.h"
#include "task/model/impex.h"

namespace bobbin {

struct GraphPort;

// Of the next child of the current task that has dependences or is undeferred. False: out of
// memory.
bool set_transparent(Thread& thread, Impex impex);
// Takes it.
inline Impex take_impex(Thread& thread) {
  if (!thread.task->order_goes_beyond) [[likely]]
    return Impex::None;
  TaskExtras* extras = thread.task->extras;
  return extras == nullptr ? Impex::None : std::exchange(extras->next_impex, Impex::None);
}

// register_dependences() for a transparent task.
bool register_transparent(Thread& thread, Task& task, const DependList& depend, Impex impex);

// A transparent task has ended: its exit at this port waits for what is to come before it. True:
// for nothing.
bool register_exit(Thread& thread, Task& task, const GraphPort& port);

// An undeferred task that exports begins.
void begin_exporting(Task& task);
// It ends, as the current task: what its children name, those of its parent made from now on come
// after it.
void export_children(Thread& thread);

}  // namespace bobbin
