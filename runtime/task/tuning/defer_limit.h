// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "env/tuning.h"
#include "platform/clocks/clock.h"
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
// A thread that executes a long task in place makes no others meanwhile, and thieves may run out of
// tasks. So where one task has made many, the tasks that its thread executes in place are timed. A
// twentieth of that time may be spent on deferring tasks beyond the limit. So long tasks are all
// deferred, even if only now and then one is long. Brief tasks earn nothing, and the timing ends.
//
// Heuristics: defer-limit, timed-deferral (env/tuning.h).
namespace bobbin {

inline constexpr int64_t kHighestDeferLimit = 256;
inline constexpr int64_t kMoreAfterSteal = 64;  // 16, 64, 256 measured: UTS T3 416, 405, 408 ms

inline constexpr uint32_t kManyChildren = kFirstDeferLimit / 2;  // that have not ended
inline constexpr int64_t kMostByTiming = 4096;                   // deferred
inline constexpr uint64_t kVainNs = 100;     // cost of deferring a task and taking it back
inline constexpr uint64_t kTimesWorth = 20;  // so much time in place pays for it
inline constexpr unsigned kTimedAgain = 8;   // tasks timed, once in so many deferred:
inline constexpr uint64_t kTimingInterval = 256;

// While it times tasks, a thread looks at each one, however many it keeps: `defer_below` is above
// all numbers.
inline bool times_tasks(const Member& member) {
  return member.defer_below > member.tuning.defer_limit;
}
inline void begin_timing(Member& member) {
  if (member.tuning.timed_left <= 0) return;
  member.defer_below = kDeferAll;
  member.thread->withdraw_permits();
}
inline void end_timing(Member& member) { member.defer_below = member.tuning.defer_limit; }

inline bool makes_many(const Thread& thread) {
  return thread.task->children.load(relaxed) >= kManyChildren;
}

// A timed task has taken so many ticks.
inline void earn(TaskTuning& tuning, uint64_t took) {
  tuning.earned += took / kTimesWorth;
  if (took >= ns_to_ticks(kVainNs * kTimesWorth)) {
    tuning.timed_left = kBriefOnesTimed;
  } else if (tuning.timed_left > 0) {
    tuning.timed_left--;
  }
}

// Pays for one task beyond the limit. False: not enough has been earned.
inline bool spend(Member& member, int64_t queued) {
  const uint64_t price = ns_to_ticks(kVainNs);
  if (member.tuning.earned < price || queued >= kMostByTiming) return false;
  member.tuning.earned -= price;
  return true;
}

// Does the thread keep enough tasks, with so many in its deque?
inline bool is_enough(const Member& member, int64_t queued) {
  return queued >= (times_tasks(member) ? member.tuning.defer_limit : member.defer_below);
}

// Is the thread, with so many tasks in its deque, to defer the next one? For tasks that nothing
// else speaks for or against.
inline bool wants_more(const Thread& thread, int64_t queued) {
  Member& member = *thread.member;
  if (!is_enough(member, queued)) return true;
  if (!times_tasks(member)) return false;
  if (makes_many(thread)) {
    const bool paid = spend(member, queued);
    thread.worker->counts.ask(Heuristic::TimedDeferral, paid);
    return paid;
  }
  end_timing(member);  // another task's children were timed
  return false;
}

// Lives while a task is executed in place.
class TimedInPlace {
 public:
  explicit TimedInPlace(Member& member) : member_(member), timed_(times_tasks(member)) {
    if (!timed_) [[likely]]
      return;
    end_timing(member);
    begin_ = ticks();
  }
  TimedInPlace(const TimedInPlace&) = delete;
  TimedInPlace& operator=(const TimedInPlace&) = delete;
  ~TimedInPlace() {
    if (!timed_) [[likely]]
      return;
    earn(member_.tuning, ticks() - begin_);
    begin_timing(member_);
  }

 private:
  Member& member_;
  bool timed_;
  uint64_t begin_ = 0;
};

// A limit that a mode has set, or that defers all, stays as it is.
inline bool is_learnt(int64_t limit) {
  return limit >= kLowestDeferLimit && limit <= kHighestDeferLimit;
}

// Called before the thread defers a task.
inline void learn_from_thieves(Thread& thread) {
  Member& member = *thread.member;
  TaskTuning& tuning = member.tuning;
  const int64_t stolen_ever = member.tasks.stolen();
  const int64_t stolen = stolen_ever - tuning.stolen_seen;
  tuning.stolen_seen = stolen_ever;
  if (!is_learnt(tuning.defer_limit)) return;
  thread.worker->counts.ask(Heuristic::DeferLimit, stolen > 0);
  if (stolen > 0 && enabled(Heuristic::DeferLimit)) {
    thread.in_place.withdraw();
    const int64_t more = tuning.defer_limit + kMoreAfterSteal * stolen;
    tuning.defer_limit = more < kHighestDeferLimit ? more : kHighestDeferLimit;
  }
  const bool full = member.tasks.size_at_most() + 1 >= tuning.defer_limit;
  member.defer_below = tuning.defer_limit;
  if (member.arranged_by != nullptr || !makes_many(thread) || !enabled(Heuristic::TimedDeferral))
    return;
  if (member.tasks_made.load(relaxed) % kTimingInterval == 0 && tuning.timed_left == 0) {
    tuning.timed_left = kTimedAgain;
  }
  if (full) begin_timing(member);
}

// The thread takes back a task that it has deferred.
inline void learn_from_vain(Thread& thread) {
  thread.in_place.withdraw();
  Member& member = *thread.member;
  TaskTuning& tuning = member.tuning;
  thread.worker->counts.regret(Heuristic::DeferLimit);
  if (is_learnt(tuning.defer_limit) && tuning.defer_limit > kLowestDeferLimit &&
      enabled(Heuristic::DeferLimit)) {
    member.defer_below = --tuning.defer_limit;
  }
}

}  // namespace bobbin
