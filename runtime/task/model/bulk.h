// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/data_pool.h"
#include "team/team.h"

// What tasks take beyond the little that most do counts towards BOBBIN_TASK_MEMORY.
//
// Large data weigh as much as so many small tasks: whoever makes or ends a deferred task counts its
// weight in a line of its own (Member::tasks_made). Data that lie in the task's block weigh
// nothing.
//
// Very many dependences, and the ways in and out of transparent tasks, the team counts for as long
// as they are there. That is a shared write, so few of them count as nothing.
namespace bobbin {

// The unit, and what a task counts for itself: the descriptor, its dependences' nodes and edges,
// some data.
inline constexpr uint64_t kTypicalTaskBytes = 512;

constexpr uint64_t bulk_units(size_t bytes) { return bytes / kTypicalTaskBytes; }

// Of a task whose data are there.
inline uint64_t weight_of(const Task& task) {
  if (!task.data_separate) [[likely]]
    return 1;
  return 1 + DataHead::of(task.data).units;
}

// By the member for whose task it is.
inline void add_bulk(Member& member, uint64_t units) {
  if (units == 0) [[likely]]
    return;
  member.bulk_unseen += units;
  member.team->bulk_units.fetch_add(units, relaxed);
}

// By anybody.
inline void remove_bulk(Team& team, uint64_t units) {
  if (units != 0) [[unlikely]]
    team.bulk_units.fetch_sub(units, relaxed);
}

}  // namespace bobbin
