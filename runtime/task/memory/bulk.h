// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/memory/data_pool.h"
#include "team/model/team.h"

// Memory that a task takes beyond the small amount that most tasks need also counts towards
// BOBBIN_TASK_MEMORY.
//
// Large data weigh as much as that many small tasks. The thread that makes or ends a deferred task
// counts its weight in a cache line of its own (Member::tasks_made). Data that lie in the task's
// block weigh nothing.
//
// The team counts very many dependences, and the ports of transparent tasks, for as long as they
// exist. That is a shared write, so a few of them count as nothing.
namespace bobbin {

// The unit, and the weight of a task itself: its descriptor, the nodes and edges of its
// dependences, and some data.
inline constexpr uint64_t kTypicalTaskBytes = 512;

constexpr uint64_t bulk_units(size_t bytes) { return bytes / kTypicalTaskBytes; }

// The task's data must still be there.
inline uint64_t weight_of(const Task& task) {
  if (!task.data_separate) [[likely]]
    return 1;
  return 1 + DataHead::of(task.data).units;
}

// Called by the member that makes the task.
inline void add_bulk(Member& member, uint64_t units) {
  if (units == 0) [[likely]]
    return;
  member.bulk_unseen += units;
  member.team->bulk_units.fetch_add(units, relaxed);
}

// Called by any thread.
inline void remove_bulk(Team& team, uint64_t units) {
  if (units != 0) [[unlikely]]
    team.bulk_units.fetch_sub(units, relaxed);
}

}  // namespace bobbin
