// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/atomic.h"
#include "platform/clocks/clock.h"
#include "sched/workers/worker.h"
#include "team/model/team.h"

// How long the tasks of one construct take. A construct is known by the function that the compiler
// has made of it. Each thread times one in a few of the tasks that it executes, and the mean is
// kept. A brief task is not worth handing to another thread (task/create/depend_at_once.h).
//
// The table holds hints. Threads overwrite each other's entries, and a thread may read the mean of
// another function. At worst that costs time.
namespace bobbin {

using TaskFunction = void (*)(void*);

// A task that takes less is brief: its maker executes it faster than it hands it on.
inline constexpr uint64_t kBriefNs = 100;

class TaskDurations {
 public:
  // Does it take less than kBriefNs, or than `limit` ticks if that is more, or would it with its
  // data in the cache? An unknown function: no.
  bool brief(TaskFunction function, uint64_t limit = 0) const {
    const Entry& entry = entries_[index_of(function)];
    if (limit < brief_limit()) limit = brief_limit();
    if (entry.function.load(relaxed) != function) return false;
    const uint64_t mean = entry.mean.load(relaxed);
    return mean < limit || (mean < kTimesLonger * limit && entry.usual.load(relaxed) < limit);
  }

  // Is it short but not brief, so that its maker may spend that time on it? An unknown function:
  // no.
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
    // In ticks. `usual` follows the lower values. A brief task takes long where another processor
    // has just written its data. If it were deferred because of that, its data would come from
    // there again and again.
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

// Times one in kInterval of the tasks that a thread executes.
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

// A longer task is never brief, however long deferring takes.
inline constexpr uint64_t kLongestBriefNs = 300;

// The time that a thread needs to make, order and offer a dependent task. That is 100 to 200 ns,
// and several times as much where a thief waits for each task on a distant processor. A task that
// takes less than this is brief, too, because deferring it would only delay its maker.
//
// While such tasks run at once nothing is measured. So the number falls, until a task is deferred
// and measured again.
class DeferralSample {
 public:
  explicit DeferralSample(Member& member) : member_(member) {
    if (++member.tuning.deferrals % kInterval == 0) begin_ = ticks();
  }
  void end() const {
    if (begin_ != 0) add(member_, ticks() - begin_);
  }

  // The mean falls at once and rises bit by bit, because a long deferral may have been interrupted.
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

// The same for any member: may tasks that depend on one of these still be treated as brief? A brief
// task that was deferred only for a measurement does not change that.
inline bool may_be_brief(TaskFunction function) {
  return task_durations.brief(function, ns_to_ticks(kLongestBriefNs));
}

// Called after a brief task was executed at once: an old measurement of deferring fades.
inline void forget_deferrals(TaskTuning& tuning) {
  constexpr unsigned kInterval = 16;
  if (++tuning.at_once_instead % kInterval == 0 && tuning.deferral_ticks > 0) {
    tuning.deferral_ticks--;
  }
}

}  // namespace bobbin
