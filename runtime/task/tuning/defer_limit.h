// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/clock.h"
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
//
// While a thread that makes many executes a long one in place, it makes no others, and thieves may
// run out of tasks. So where one task has made many, what its thread executes in place is timed
// (the watch), and a twentieth of that time may be spent on deferring more than are kept. If tasks
// are long, or now and then a very long one is among them, they are all deferred; where they are
// brief nothing is earned, and the watch ends.
namespace bobbin {

inline constexpr int64_t kHighestDeferLimit = 256;
inline constexpr int64_t kMoreAfterSteal = 64;  // 16, 64, 256 measured: UTS T3 416, 405, 408 ms

// A thread that has kept so many tasks defers no more until a quarter of them is gone. Then it
// defers several in a row. In between, thieves are alone with the cache lines of the deque. This
// applies only to a thread that has not taken back tasks for a while. One that waits for the tasks
// it made would have to take back most of those that it made in a row (UTS T3 took 11 % longer).
constexpr int64_t few_of(int64_t kept) { return kept - kept / 4; }

// The watch.
inline constexpr uint32_t kManyChildren = kFirstDeferLimit / 2;  // have not ended
inline constexpr int64_t kMostByWatch = 4096;                    // deferred
inline constexpr uint64_t kVainNs = 100;        // what it costs to defer a task and take it back
inline constexpr uint64_t kTimesWorth = 20;     // that of the time in place which pays for it
inline constexpr unsigned kBriefOnesAgain = 8;  // watched, once in so many deferred:
inline constexpr uint64_t kWatchInterval = 256;

// Then every task is looked at, however many are kept.
inline bool watched(const Member& member) { return member.defer_below > member.defer_limit; }
inline void begin_watch(Member& member) {
  if (member.brief_ones_left > 0) member.defer_below = kDeferAll;
}
inline void end_watch(Member& member) { member.defer_below = member.defer_limit; }

inline bool makes_many(const Thread& thread) {
  return thread.task->children.load(relaxed) >= kManyChildren;
}

// A watched task has taken so many ticks.
inline void earn(Member& member, uint64_t took) {
  member.earned += took / kTimesWorth;
  if (took >= ns_to_ticks(kVainNs * kTimesWorth)) {
    member.brief_ones_left = kBriefOnesWatched;
  } else if (member.brief_ones_left > 0) {
    member.brief_ones_left--;
  }
}

// Is one more than are kept paid for? Then it has been spent.
inline bool spend(Member& member) {
  const uint64_t price = ns_to_ticks(kVainNs);
  if (member.earned < price || member.tasks.size_at_most() >= kMostByWatch) return false;
  member.earned -= price;
  return true;
}

inline bool is_enough(const Member& member, int64_t queued) {
  return queued >= (watched(member) ? member.defer_limit : member.defer_below);
}
inline bool has_enough(const Member& member) {
  return is_enough(member, member.tasks.size_at_most());
}

// Is the thread to defer its next task, where nothing else speaks for or against it?
inline bool wants_more(const Thread& thread) {
  Member& member = *thread.member;
  if (!has_enough(member)) return true;
  if (!watched(member)) return false;
  if (makes_many(thread)) return spend(member);
  end_watch(member);  // it was another task's
  return false;
}

// While a task is executed in place.
class WatchedInPlace {
 public:
  explicit WatchedInPlace(Member& member) : member_(member), watched_(watched(member)) {
    if (!watched_) [[likely]]
      return;
    end_watch(member);
    begin_ = ticks();
  }
  WatchedInPlace(const WatchedInPlace&) = delete;
  WatchedInPlace& operator=(const WatchedInPlace&) = delete;
  ~WatchedInPlace() {
    if (!watched_) [[likely]]
      return;
    earn(member_, ticks() - begin_);
    begin_watch(member_);
  }

 private:
  Member& member_;
  bool watched_;
  uint64_t begin_ = 0;
};

// Before its thread defers a task.
inline void learn_from_thieves(const Thread& thread) {
  Member& member = *thread.member;
  int64_t stolen_ever = member.tasks.stolen();
  int64_t stolen = stolen_ever - member.stolen_seen;
  member.stolen_seen = stolen_ever;
  if (member.defer_below == 0) return;
  if (member.team->icvs.task_policy.creation != Creation::Adaptive) return;
  if (stolen > 0) {
    int64_t more = member.defer_limit + kMoreAfterSteal * stolen;
    member.defer_limit = more < kHighestDeferLimit ? more : kHighestDeferLimit;
  }
  bool full = member.tasks.size_at_most() + 1 >= member.defer_limit;
  bool long_ago = ++member.deferred_since_vain > kHighestDeferLimit;
  member.defer_below = full && long_ago ? few_of(member.defer_limit) : member.defer_limit;
  if (member.steered || !makes_many(thread)) return;
  if (member.tasks_made.load(relaxed) % kWatchInterval == 0 && member.brief_ones_left == 0) {
    member.brief_ones_left = kBriefOnesAgain;
  }
  if (full) begin_watch(member);
}

// Its thread takes one back.
inline void learn_from_vain(Member& member) {
  member.deferred_since_vain = 0;
  if (member.defer_limit > kLowestDeferLimit) member.defer_below = --member.defer_limit;
}

}  // namespace bobbin
