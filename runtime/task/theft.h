// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/clock.h"
#include "team/team.h"

// A theft costs some hundred nanoseconds, on both sides: the lines of the deque, of the descriptor
// and of the parent's counts all move. So a thief takes several tasks at once if those that it
// stole before were brief: on their way together they cost little more than one, and their parent
// is told of them together (task/completion.h). The rest of the haul waits in the thief's own
// deque, where others may steal it.
//
// A thief that finds nothing but tasks briefer than a theft slows their maker down more than it
// helps him, however many it takes, so it holds back between thefts, the longer the more of them
// were brief in a row. Never for long: what comes next may be worth it, or be waited for.
namespace bobbin {

inline constexpr uint64_t kTheftNs = 100;  // in what is timed: for the first task's lines to come
inline constexpr uint64_t kBriefNs = 100;  // a task: its maker had better executed it himself
inline constexpr uint64_t kLongestRestraintNs = 10'000;
inline constexpr unsigned kBriefTheftsBorne = 16;

inline constexpr unsigned kMostAtOnce = 16;
inline constexpr uint64_t kHaulNs = 4'000;  // so much work a thief wants to carry home

// A task for a thread to execute.
struct Found {
  Task* task = nullptr;
  unsigned stolen = 0;  // how many were, this one included; the others are in the own deque
};

// Before a thief looks at the deques of others.
inline void hold_back(const Member& member) {
  unsigned brief = member.brief_thefts;
  if (brief <= kBriefTheftsBorne) [[likely]]
    return;
  unsigned doublings = brief - kBriefTheftsBorne;
  uint64_t ns = doublings < 7 ? kTheftNs << doublings : kLongestRestraintNs;
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

// The descriptor, which the thief is going to write, and what follows it: data or extras.
inline void prefetch_stolen(const Task* task) {
  __builtin_prefetch(task, 1);
  __builtin_prefetch(task + 1, 1);
}

// Times what was stolen at once.
class TheftSample {
 public:
  // How many of them were executed; the others are others' affair.
  void end(Member& member, unsigned executed) const {
    if (executed == 0) return;
    uint64_t took = ticks() - begin_;
    if (took < ns_to_ticks(kTheftNs + executed * kBriefNs)) {
      member.brief_thefts++;
      member.next_haul = 1;
      return;
    }
    member.brief_thefts = 0;
    uint64_t worth = ns_to_ticks(kHaulNs) * executed / took;
    uint64_t most = 2 * member.next_haul < kMostAtOnce ? 2 * member.next_haul : kMostAtOnce;
    member.next_haul = static_cast<unsigned>(worth < 1 ? 1 : worth < most ? worth : most);
  }

 private:
  uint64_t begin_ = ticks();
};

}  // namespace bobbin
