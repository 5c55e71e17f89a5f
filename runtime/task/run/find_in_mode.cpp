// SPDX-License-Identifier: Apache-2.0
#include "task/run/find_in_mode.h"

#include "task/model/constraint.h"

namespace bobbin {

Found find_in_mode(Thread& thread, Completions& completions) {
  const Team& team = *thread.member->team;
  Mode* alone =
      ask_modes(team, [&](Mode& mode) { return mode.searches(thread) ? &mode : nullptr; });
  if (alone != nullptr) return alone->search(thread, completions);
  return find_task(
      thread, [&](const Task* task) { return may_begin(thread, *task); }, completions, Deques(),
      [&] { return find_beside(thread); });
}

Task* find_beside(Thread& thread) {
  return ask_modes(*thread.member->team, [&](Mode& mode) { return mode.find(thread); });
}

}  // namespace bobbin
