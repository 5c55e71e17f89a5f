// SPDX-License-Identifier: Apache-2.0
// Which transparent tasks a waiting thread may begin, and why no thread waits for ever.
//
// An importing task begins before the tasks that its children follow. So a wait in it may be for
// tasks that do not descend from it. Under the task scheduling constraint alone, all threads could
// come to wait for tasks that none of them may begin. Therefore these rules hold:
//   - An importing task is untied, so it does not constrain its thread (constraint.h). The tied
//     tasks below it on the stack have waited for their predecessors before they began. So
//     everything that they and their descendants wait for descends from them.
//   - A ready task that is not transparent is called closed. It, too, waits only for its own
//     descendants, and may be begun under the task scheduling constraint anywhere.
//   - A transparent task may wait for the tasks before it. A thread may begin it if the current
//     task is its ancestor or comes after it. "After" is meant in the order of the program, within
//     the innermost task around the current one that does not import.
//
// No thread waits for ever:
//   1. Suppose that threads wait for each other in a circle. Each step of the circle leads from a
//      task either to a task that it waits for, or to a task that was begun above it on its stack.
//   2. Let a part be the inside of a closed task, without the closed tasks in it. Within a part,
//      each step leads to a descendant or backwards in the order of the program. So no circle lies
//      within one part.
//   3. A step out of a part leads into a closed descendant, or to the beginning of a closed task
//      that began later than the task below it on the stack. No such step leads back to a part that
//      the circle has left. So no circle crosses several parts either.
#pragma once

#include "task/run/modes.h"

namespace bobbin {

// The candidate is alive. `current` is the thread's current task.
bool may_begin_transparent(const Task& candidate, const Task& current, const Team& team);

// All transparent tasks go into its queue.
class TransparentMode final : public Mode {
 public:
  static constexpr ModeRank kRank = ModeRank::Transparent;
  TransparentMode() : Mode(kRank) {}

  bool queue(Thread& thread, Team& team, Task& task) override;
  Task* find(Thread& thread) override;
};

// The current task's next child is to be transparent. False: no memory.
bool set_transparent(Thread& thread, Impex impex);

}  // namespace bobbin
