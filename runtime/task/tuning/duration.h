// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/atomic.h"
#include "platform/clock.h"
#include "sched/worker.h"
#include "team/team.h"

// How long do the tasks of one construct take? A task construct is known by the function that the
// compiler made of it. One task in a few is timed, whoever executes it, and the mean kept: what is
// brief is not worth handing to another thread (task/create/create.cpp).
//
// The table is a memory of hints: threads overwrite each other's entries, and what they read may be
// another function's mean. That costs time at worst.
namespace bobbin {

using TaskFunction = void (*)(void*);

// What takes less is a brief task: its maker had better execute it himself than hand it on.
inline constexpr uint64_t kBriefNs = 100;

class TaskDurations {
 public:
  // Does it take less than 100 ns, or than `limit` ticks if that is more; or would it, with its
  // data at hand? Never heard of: no.
  bool brief(TaskFunction function, uint64_t limit = 0) const {
    const Entry& entry = entries_[index_of(function)];
    if (limit < brief_limit()) limit = brief_limit();
    if (entry.function.load(relaxed) != function) return false;
    const uint64_t mean = entry.mean.load(relaxed);
    return mean < limit || (mean < kTimesLonger * limit && entry.usual.load(relaxed) < limit);
  }

  // Short, but not brief: its maker may be busy with it for that long. Never heard of: no.
  bool worth_taking_part(TaskFunction function) const {
    const Entry& entry = entries_[index_of(function)];
    uint64_t mean = entry.mean.load(relaxed);
    return entry.function.load(relaxed) == function && mean >= brief_limit() &&
           mean < ns_to_ticks(kShortNs);
  }

  void add(TaskFunction function, uint64_t duration);

 private:
  static constexpr size_t kEntries = 256;
  static constexpr uint64_t kShortNs = 20'000;
  static constexpr uint64_t kTimesLonger = 4;

  struct Entry {
    Atomic<TaskFunction> function{nullptr};
    // In ticks. The second one follows the lower ones: a brief task takes long where its data have
    // just been written by another processor. Were it deferred for that, its data would go on
    // coming from there.
    Atomic<uint64_t> mean{0};
    Atomic<uint64_t> usual{0};
  };

  static size_t index_of(TaskFunction function) {
    auto address = reinterpret_cast<uintptr_t>(function);
    return (address >> 4 ^ address >> 12) % kEntries;
  }
  static uint64_t brief_limit() { return ns_to_ticks(kBriefNs); }

  Entry entries_[kEntries];
};

extern TaskDurations task_durations;

// Times one task in so many of those that a thread executes.
class DurationSample {
 public:
  explicit DurationSample(Member& member) {
    if (++member.tuning.tasks_until_sample % kInterval == 0) [[unlikely]]
      begin_ = ticks();
  }
  void end(TaskFunction function) const {
    if (begin_ != 0) [[unlikely]]
      task_durations.add(function, ticks() - begin_);
  }

 private:
  static constexpr unsigned kInterval = 8;
  uint64_t begin_ = 0;
};

// Nothing longer is brief, whatever deferring takes.
inline constexpr uint64_t kLongestBriefNs = 300;

// What it takes a thread to defer a dependent task: to make it, order it and offer it. That is 100
// to 200 ns, but several times as much where a thief waits for each task on a processor from which
// lines take long to come. Where it takes longer than the task itself, the task is brief, too: to
// defer it could not but hold its maker up.
//
// As long as such tasks run at once nothing is measured, so the number falls, until one is deferred
// that tells whether it still holds.
class DeferralSample {
 public:
  explicit DeferralSample(Member& member) : member_(member) {
    if (++member.tuning.deferrals % kInterval == 0) begin_ = ticks();
  }
  void end() const {
    if (begin_ != 0) add(member_, ticks() - begin_);
  }

  // Down at once, up bit by bit: what takes long may have been interrupted.
  static void add(Member& member, uint64_t took) {
    uint64_t most = ns_to_ticks(kLongestBriefNs);
    if (took > most) took = most;
    uint64_t& mean = member.tuning.deferral_ticks;
    mean = took < mean ? mean - (mean - took) / 2 : mean + (took - mean) / 8;
  }

 private:
  static constexpr unsigned kInterval = 4;
  Member& member_;
  uint64_t begin_ = 0;
};

inline bool is_brief(const TaskTuning& tuning, TaskFunction function) {
  return task_durations.brief(function, tuning.deferral_ticks);
}

// Is a dependent task of the construct to run at once, because it is brief?
inline bool treated_as_brief(const Thread& thread, TaskFunction function) {
  return enabled(Heuristic::BriefAtOnce) && is_brief(thread.member->tuning, function);
}

// As is_brief(), but for any member: whether tasks that depend on one of these may still be taken
// for brief. One that was deferred only to measure what that costs does not end it.
inline bool may_be_brief(TaskFunction function) {
  return task_durations.brief(function, ns_to_ticks(kLongestBriefNs));
}

// After a brief task was executed at once: an old measurement of what deferring costs fades.
inline void forget_deferrals(TaskTuning& tuning) {
  constexpr unsigned kInterval = 16;
  if (++tuning.at_once_instead % kInterval == 0 && tuning.deferral_ticks > 0) {
    tuning.deferral_ticks--;
  }
}

}  // namespace bobbin
