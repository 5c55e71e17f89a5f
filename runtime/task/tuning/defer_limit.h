// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "env/tuning.h"
#include "sched/workers/worker.h"
#include "team/model/team.h"

// How many tasks should a thread keep in its deque for thieves? While it keeps that many, its
// further tasks run at once in place. A deferred task costs an allocation, which pays only if the
// task is stolen.
//
// The defer limit follows what becomes of the deferred tasks: it rises with each that is stolen,
// and falls by one with each that its maker takes back.
//   - A low limit is right as a rule. A thief that finds nothing comes back soon. In a binary tree
//     of depth n, the tasks that are deferred in vain grow like n to the power of the limit.
//   - A high limit is right where most subtrees are tiny. There thieves empty the deque faster than
//     they find a large one, and a store of older, larger subtrees pays (UTS T3).
//   - A region begins with 64. Its first tasks may be few and long, or wait for each other by the
//     program's own means. A task that runs at once, on its maker's stack, would wait for ever for
//     one that is not made yet.
//
// Heuristic: defer-limit (env/tuning.h).
namespace bobbin {

inline constexpr int64_t kHighestDeferLimit = 256;
inline constexpr int64_t kMoreAfterSteal = 64;  // 16, 64, 256 measured: UTS T3 416, 405, 408 ms

// Does the thread keep enough tasks, with so many in its deque?
inline bool is_enough(const Member& member, int64_t queued) { return queued >= member.defer_limit; }

// A limit that a mode has set, or that defers all, stays as it is.
inline bool is_learnt(int64_t limit) {
  return limit >= kLowestDeferLimit && limit <= kHighestDeferLimit;
}

// Called before the thread defers a task.
inline void learn_from_thieves(Thread& thread) {
  Member& member = *thread.member;
  const int64_t stolen_ever = member.tasks.stolen();
  const int64_t stolen = stolen_ever - std::exchange(member.tuning.stolen_seen, stolen_ever);
  if (!is_learnt(member.defer_limit)) return;
  thread.worker->counts.ask(Heuristic::DeferLimit, stolen > 0);
  if (stolen > 0 && enabled(Heuristic::DeferLimit)) {
    thread.in_place.withdraw();
    const int64_t more = member.defer_limit + kMoreAfterSteal * stolen;
    member.defer_limit = more < kHighestDeferLimit ? more : kHighestDeferLimit;
  }
}

// The thread takes back a task that it has deferred.
inline void learn_from_vain(Thread& thread) {
  thread.in_place.withdraw();
  Member& member = *thread.member;
  thread.worker->counts.regret(Heuristic::DeferLimit);
  if (is_learnt(member.defer_limit) && member.defer_limit > kLowestDeferLimit &&
      enabled(Heuristic::DeferLimit)) {
    member.defer_limit--;
  }
}

}  // namespace bobbin
