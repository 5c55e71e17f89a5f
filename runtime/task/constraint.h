// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/task.h"

namespace bobbin {

// The task scheduling constraint (section 12.9): a thread that has suspended tied tasks other than
// at a barrier may begin a new tied task only if it descends from all of them. Each of those was
// itself begun under the constraint, so the innermost, the current task, speaks for all.
//
// A thief asks before the candidate is his (Deque::steal_if). It may be gone then, its memory and
// that of its ancestors used again: so the answer may be wrong, and counts only once the candidate
// has been claimed; but asking always comes to an end, for the depth falls with every step.
inline bool descends_from(const Task& candidate, const Task& current) {
  const uint32_t wanted = current.depth;
  const Task* ancestor = &candidate;
  for (uint32_t depth = candidate.depth; depth > wanted;) {
    ancestor = ancestor->parent;
    if (ancestor == nullptr || ancestor->depth >= depth) return false;
    depth = ancestor->depth;
  }
  return ancestor == &current;
}

inline bool may_begin(const Task& candidate, const Task& current) {
  return !candidate.tied || descends_from(candidate, current);
}

}  // namespace bobbin
