// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/team.h"

// How many tasks should a thread keep for thieves? While it has them, further ones run at once in
// place; each one deferred costs an allocation, and pays only if it is stolen.
//
// Four are enough as a rule: a thief that finds none is quick to come back, and in a binary tree of
// depth n the number of tasks deferred in vain grows like n to the power of that number. But where
// most subtrees are tiny, thieves empty the deque faster than they find something worth the way,
// and a store of the older, larger ones pays (UTS T3). So the number follows what becomes of the
// deferred tasks: more for each that is stolen, one less for each that its maker takes back.
//
// A region begins with 64. The first tasks may be few and long, or wait for each other by what the
// program itself has for that: then one that runs at once, on the stack of its maker, waits for
// ever for one that is not made yet.
namespace bobbin {

inline constexpr int64_t kMostKept = 256;
inline constexpr int64_t kMoreAfterTheft = 16;  // 1, 4, 16 measured: UTS T3 410, 382, 367 ms

// Once it has so many it does not defer again before a quarter is gone, and then in a row: in
// between, thieves are alone with the lines of the deque. But only one that has long not taken
// tasks back: of several made in a row, who waits for them has to take back most (UTS T3 took 11 %
// longer).
constexpr int64_t few_of(int64_t kept) { return kept - kept / 4; }

// Before its thread defers a task.
inline void learn_from_thieves(Member& member) {
  int64_t stolen_ever = member.tasks.stolen();
  int64_t stolen = stolen_ever - member.stolen_seen;
  member.stolen_seen = stolen_ever;
  if (member.defer_below == 0) return;
  if (member.team->icvs.task_policy.creation != Creation::Adaptive) return;
  if (stolen > 0) {
    int64_t more = member.kept + kMoreAfterTheft * stolen;
    member.kept = more < kMostKept ? more : kMostKept;
  }
  bool full = member.tasks.size_at_most() + 1 >= member.kept;
  bool long_ago = ++member.deferred_since_vain > kMostKept;
  member.defer_below = full && long_ago ? few_of(member.kept) : member.kept;
}

// Its thread takes one back.
inline void learn_from_vain(Member& member) {
  member.deferred_since_vain = 0;
  if (member.kept > kLeastKept) member.defer_below = --member.kept;
}

}  // namespace bobbin
