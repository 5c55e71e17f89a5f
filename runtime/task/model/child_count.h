// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/watchers/happens_before.h"
#include "task/model/taskgroup.h"
#include "team/model/team.h"

namespace bobbin {

// BOBBIN_TASK_MEMORY is checked once per so many tasks, or per as much memory of large ones. A
// power of two.
inline constexpr uint64_t kMemoryCheckInterval = 1024;

// Is a check due at the next task that the member makes, if it has this weight?
inline bool memory_check_due(const Member& member, uint64_t weight = 1) {
  const uint64_t made = member.tasks_made.load(relaxed);
  return (made ^ (made + weight)) >= kMemoryCheckInterval;
}

// Counts a deferred task in its parent, its taskgroup and the region, where threads may wait for
// it. The member that made the task does this before others can find it. `weight` is
// weight_of(task).
inline void count_child(Member& member, Task& task, uint64_t weight = 1) {
  happens_before(&task);
  Task& parent = *task.parent;
  parent.children.fetch_add(1, relaxed);
  parent.references.fetch_add(1, relaxed);
  if (task.group != nullptr) task.group->tasks.fetch_add(1, relaxed);
  if (!member.team->has_tasks.load(relaxed)) member.team->has_tasks.store(true, relaxed);
  member.tasks_made.store(member.tasks_made.load(relaxed) + weight, release);
}

}  // namespace bobbin
