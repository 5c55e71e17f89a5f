// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/team.h"

// What tasks take beyond the little that most do: large data, very many dependences, the ways in
// and out of transparent tasks. The team counts it towards BOBBIN_TASK_MEMORY for as long as it is
// there. That is a shared write, so what fits into a block of the pool counts as nothing.
namespace bobbin {

// The unit, and what a task counts for itself: the descriptor, its dependences' nodes and edges,
// some data.
inline constexpr uint64_t kTypicalTaskBytes = 512;

constexpr uint64_t bulk_units(size_t bytes) { return bytes / kTypicalTaskBytes; }

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
