// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/clock.h"
#include "team/team.h"

// A theft costs some hundred nanoseconds, on both sides: the lines of the deque, of the descriptor
// and of the parent's counts all move. A thief that finds nothing but briefer tasks slows their
// maker down more than it helps him, so it holds back between thefts, the longer the more of them
// were brief in a row. Never for long: what comes next may be worth it, or be waited for.
namespace bobbin {

inline constexpr uint64_t kBriefTheftNs = 200;
inline constexpr uint64_t kLongestRestraintNs = 10'000;
inline constexpr unsigned kBriefTheftsBorne = 16;

// Before a thief looks at the deques of others.
inline void hold_back(const Member& member) {
  unsigned brief = member.brief_thefts;
  if (brief <= kBriefTheftsBorne) [[likely]]
    return;
  unsigned doublings = brief - kBriefTheftsBorne;
  uint64_t ns = doublings < 7 ? kBriefTheftNs / 2 << doublings : kLongestRestraintNs;
  uint64_t begin = ticks();
  uint64_t span = ns_to_ticks(ns);
  while (ticks() - begin < span) cpu_pause();
}

// Times what was stolen.
class TheftSample {
 public:
  explicit TheftSample(Member& member) {
    if (!member.just_stole) return;
    member.just_stole = false;
    begin_ = ticks();
  }
  void end(Member& member) const {
    if (begin_ == 0) return;
    bool brief = ticks() - begin_ < ns_to_ticks(kBriefTheftNs);
    member.brief_thefts = brief ? member.brief_thefts + 1 : 0;
  }

 private:
  uint64_t begin_ = 0;
};

}  // namespace bobbin
