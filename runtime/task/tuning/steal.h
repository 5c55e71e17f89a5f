// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "env/tuning.h"
#include "platform/clocks/clock.h"
#include "platform/memory.h"
#include "sched/workers/worker.h"
#include "task/tuning/duration.h"
#include "team/model/team.h"

// How much a thief takes, and when it steals again. A steal costs some hundred nanoseconds on both
// sides, because the lines of the deque, of the descriptor and of the parent's counts all move.
//
//   - After brief tasks a thief takes several at once. On their way together they cost little more
//     than one, and their parent is told of them together (task/model/completion.h). The rest of
//     the haul waits in the thief's own deque, where others may steal it. (steal-many)
//   - A thief that finds only tasks briefer than a steal slows their maker down more than it helps.
//     So it pauses between steals, longer after more brief steals in a row. The pause is short,
//     because the next task may be long, or somebody may wait for it. (steal-pause)
namespace bobbin {

inline constexpr uint64_t kStealNs = 100;           // a steal takes at least this
inline constexpr uint64_t kLongestStealNs = 2'000;  // one that took longer was interrupted
inline constexpr uint64_t kLongestPauseNs = 10'000;
inline constexpr unsigned kBriefStealsBorne = 16;  // in a row, without a pause

inline constexpr unsigned kMostDoublings = 7;  // of the pause
inline constexpr unsigned kMostBriefSteals = kBriefStealsBorne + kMostDoublings;
static_assert(kMostBriefSteals / 2 <= kBriefStealsBorne);

inline constexpr unsigned kHaulOfBrief = 2;
inline constexpr unsigned kMostAtOnce = 32;
inline constexpr uint64_t kHaulNs = 8'000;  // a thief wants to carry home so much work

inline bool pauses_before_steal(const Member& member) {
  return member.tuning.brief_steals > kBriefStealsBorne && enabled(Heuristic::StealPause);
}

// Called before a thief looks at the deques of others.
inline void pause_before_steal(const Thread& thread) {
  const Member& member = *thread.member;
  if (!pauses_before_steal(member)) [[likely]]
    return;
  thread.worker->counts.ask(Heuristic::StealPause, true);
  const unsigned doublings = member.tuning.brief_steals - kBriefStealsBorne;
  const uint64_t ns = doublings < kMostDoublings ? kStealNs << doublings : kLongestPauseNs;
  const uint64_t begin = ticks();
  const uint64_t span = ns_to_ticks(ns);
  while (ticks() - begin < span) cpu_pause();
}

// How many tasks to take from a deque that holds so many: never more than half of them.
inline unsigned how_many_to_steal(const Member& member, int64_t queued) {
  const unsigned wanted = enabled(Heuristic::StealMany) ? member.tuning.next_haul : 1;
  int64_t half = (queued + 1) / 2;
  if (half < 1) half = 1;
  return half < wanted ? static_cast<unsigned>(half) : wanted;
}

// A thief may take along only siblings of the first task that it steals. While the first one holds
// the thief up, say by a lock, nobody could find the children of a waiting task that lay behind
// others in the thief's deque.
inline bool are_siblings(const Task& first, const Task& next) {
  return next.parent == first.parent;
}

// The thief is going to write the descriptor. Data or extras follow it.
inline void prefetch_stolen(const Task* task) {
  prefetch_to_write(task);
  prefetch_to_write(task + 1);
}

// A haul took so many ticks to execute, after a claim that took `claimed_in`. The thief has
// executed `executed` of its tasks; others have taken the rest.
//
// The first task's time includes the time in which its lines arrive, which is about as long as the
// claim. That depends on where the two processors are, and tells nothing about the task. So one
// brief task by itself tells little, and the next time the thief takes two if it can.
inline void learn_from_steal(TaskTuning& tuning, uint64_t took, uint64_t claimed_in,
                             unsigned executed) {
  const uint64_t least = ns_to_ticks(kStealNs);
  const uint64_t longest = ns_to_ticks(kLongestStealNs);
  const uint64_t steal = claimed_in < least ? least : claimed_in < longest ? claimed_in : longest;
  if (took < steal + ns_to_ticks(executed * kBriefNs)) {
    if (tuning.brief_steals < kMostBriefSteals) tuning.brief_steals++;
    tuning.next_haul = kHaulOfBrief;
    return;
  }
  // Halving leads from the longest pause to none. It does not set the number to zero, because one
  // of many brief tasks takes long now and then, or is interrupted.
  tuning.brief_steals /= 2;
  const uint64_t worth = ns_to_ticks(kHaulNs) * executed / took;
  const uint64_t most = 2 * tuning.next_haul < kMostAtOnce ? 2 * tuning.next_haul : kMostAtOnce;
  tuning.next_haul = static_cast<unsigned>(worth < 1 ? 1 : worth < most ? worth : most);
}

// Times a haul.
class StealSample {
 public:
  StealSample(unsigned stolen, uint64_t claimed_in) : stolen_(stolen), claimed_in_(claimed_in) {}

  void end(const Thread& thread, unsigned executed) const {
    if (executed == 0) return;
    HeuristicCounts& counts = thread.worker->counts;
    if (executed < stolen_) counts.regret(Heuristic::StealMany);
    TaskTuning& tuning = thread.member->tuning;
    const bool paused = pauses_before_steal(*thread.member);
    learn_from_steal(tuning, ticks() - begin_, claimed_in_, executed);
    if (paused && !pauses_before_steal(*thread.member)) counts.regret(Heuristic::StealPause);
  }

 private:
  unsigned stolen_;
  uint64_t claimed_in_;
  uint64_t begin_ = ticks();
};

}  // namespace bobbin
