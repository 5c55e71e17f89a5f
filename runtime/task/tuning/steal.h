// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/clock.h"
#include "platform/memory.h"
#include "task/tuning/duration.h"
#include "team/team.h"

// A steal costs some hundred nanoseconds, on both sides: the lines of the deque, of the descriptor
// and of the parent's counts all move. So a thief takes several tasks at once if those that it
// stole before were brief: on their way together they cost little more than one, and their parent
// is told of them together (task/model/completion.h). The rest of the haul waits in the thief's own
// deque, where others may steal it.
//
// A thief that finds nothing but tasks briefer than a steal slows their maker down more than it
// helps him, however many it takes, so it holds back between steals, the longer the more of them
// were brief in a row. Never for long: what comes next may be worth it, or be waited for.
namespace bobbin {

inline constexpr uint64_t kStealNs = 100;           // at least
inline constexpr uint64_t kLongestStealNs = 2'000;  // what takes longer was interrupted
inline constexpr uint64_t kLongestRestraintNs = 10'000;
inline constexpr unsigned kBriefStealsBorne = 16;

inline constexpr unsigned kMostDoublings = 7;  // of the restraint
inline constexpr unsigned kMostBriefSteals = kBriefStealsBorne + kMostDoublings;
static_assert(kMostBriefSteals / 2 <= kBriefStealsBorne);

inline constexpr unsigned kHaulOfBrief = 2;
inline constexpr unsigned kMostAtOnce = 32;
inline constexpr uint64_t kHaulNs = 8'000;  // so much work a thief wants to carry home

inline bool holds_back(const Member& member) { return member.brief_steals > kBriefStealsBorne; }

// Before a thief looks at the deques of others.
inline void hold_back(const Member& member) {
  if (!holds_back(member)) [[likely]]
    return;
  unsigned doublings = member.brief_steals - kBriefStealsBorne;
  uint64_t ns = doublings < kMostDoublings ? kStealNs << doublings : kLongestRestraintNs;
  uint64_t begin = ticks();
  uint64_t span = ns_to_ticks(ns);
  while (ticks() - begin < span) cpu_pause();
}

// From a deque that holds so many: never more than half of them.
inline unsigned how_many_to_steal(const Member& member, int64_t queued) {
  int64_t half = (queued + 1) / 2;
  if (half < 1) half = 1;
  return half < member.next_haul ? static_cast<unsigned>(half) : member.next_haul;
}

// What a thief may take along with the first task that it steals: siblings only. While the first
// one holds the thief up, say by a lock, nobody could come by the children of a task that waits for
// them if they lay behind others in the thief's deque.
inline bool are_siblings(const Task& first, const Task& next) {
  return next.parent == first.parent;
}

// The descriptor, which the thief is going to write, and what follows it: data or extras.
inline void prefetch_stolen(const Task* task) {
  prefetch_to_write(task);
  prefetch_to_write(task + 1);
}

// What was stolen at once took so many ticks to execute, after a claim that took `claimed_in`; how
// many of them were executed, the others being others' affair.
//
// In the first task's time is what its lines take to come, about as long as what the claim needs:
// that depends on where the two processors are, and says nothing about the task. So one brief task
// alone tells little, and the next time the thief takes two if it can.
inline void learn_from_steal(Member& member, uint64_t took, uint64_t claimed_in,
                             unsigned executed) {
  uint64_t least = ns_to_ticks(kStealNs);
  uint64_t longest = ns_to_ticks(kLongestStealNs);
  uint64_t steal = claimed_in < least ? least : claimed_in < longest ? claimed_in : longest;
  if (took < steal + ns_to_ticks(executed * kBriefNs)) {
    if (member.brief_steals < kMostBriefSteals) member.brief_steals++;
    member.next_haul = kHaulOfBrief;
    return;
  }
  // From the longest restraint to none. Not to zero: among brief tasks one is long now and then, or
  // an interrupt came.
  member.brief_steals /= 2;
  uint64_t worth = ns_to_ticks(kHaulNs) * executed / took;
  uint64_t most = 2 * member.next_haul < kMostAtOnce ? 2 * member.next_haul : kMostAtOnce;
  member.next_haul = static_cast<unsigned>(worth < 1 ? 1 : worth < most ? worth : most);
}

// Times what was stolen at once.
class StealSample {
 public:
  explicit StealSample(uint64_t claimed_in) : claimed_in_(claimed_in) {}

  void end(Member& member, unsigned executed) const {
    if (executed != 0) learn_from_steal(member, ticks() - begin_, claimed_in_, executed);
  }

 private:
  uint64_t claimed_in_;
  uint64_t begin_ = ticks();
};

}  // namespace bobbin
