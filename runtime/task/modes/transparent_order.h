// SPDX-License-Identifier: Apache-2.0
// Which transparent tasks a thread that waits may begin, and why no thread waits for ever.
//
// An importing task begins before what its children follow. So a wait in it may be one for tasks
// that do not descend from it, and under the task scheduling constraint all threads could come to
// wait for tasks that none of them may begin. Therefore
//   - an importing task is untied, so it does not constrain its thread (constraint.h). The tied
//     ones below it have waited before they began, so what they and their descendants wait for
//     descends from them, too;
//   - all tasks that are ready and not transparent are closed: they, too, wait for their own
//     descendants only, and may be begun under that constraint anywhere;
//   - a transparent task may wait for those before it. It is begun where the current task is an
//     ancestor, or else comes after it: in the order of the program, within the innermost task
//     around the current one that does not import.
//
// No thread waits for ever:
//   1. Suppose that threads wait for each other in a circle. Each step of it leads from a task to
//      one that it waits for, or to one that was begun above it on its stack.
//   2. Call the inside of a closed task, without the closed tasks in it, a part. Within a part each
//      step leads to a descendant, or backwards in the order of the program. So no circle lies
//      within one part.
//   3. A step that leaves a part leads into a closed descendant, or to the beginning of a closed
//      task that began later than the one below it on the stack. No such step leads back to a part
//      that the circle has left. So there is no circle across parts either.
#pragma once

#include "task/run/priority.h"
#include "team/thread.h"

namespace bobbin {

// The candidate is alive. `current` is the thread's current task.
bool may_begin_transparent(const Task& candidate, const Task& current, const Team& team);

// Takes the first that the thread may begin. nullptr: there is none.
inline Task* pop_transparent(const Thread& thread) {
  Team& team = *thread.member->team;
  SharedQueue& queue = team.transparent_tasks;
  const Task& current = *thread.task;
  return pop_found(queue, [&] {
    return find_in_order(queue, [&](const Task* task) {
      return &current == thread.at_barrier || may_begin_transparent(*task, current, team);
    });
  });
}

}  // namespace bobbin
