// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/atomic.h"
#include "platform/clock.h"
#include "team/team.h"

// How long do the tasks of one construct take? A task construct is known by the function that the
// compiler made of it. One task in a few is timed, whoever executes it, and the mean kept: what is
// brief is not worth handing to another thread (task/create.cpp).
//
// The table is a memory of hints: threads overwrite each other's entries, and what they read may be
// another function's mean. That costs time at worst.
namespace bobbin {

using TaskFunction = void (*)(void*);

// What takes less is a brief task: its maker had better execute it himself than hand it on.
inline constexpr uint64_t kBriefNs = 100;

class TaskDurations {
 public:
  // Never heard of: not brief.
  bool brief(TaskFunction function) const {
    const Entry& entry = entries_[index_of(function)];
    return entry.function.load(relaxed) == function && entry.mean.load(relaxed) < limit();
  }

  // Short, but not brief. Never heard of: no.
  bool worth_taking_part(TaskFunction function) const {
    const Entry& entry = entries_[index_of(function)];
    uint64_t mean = entry.mean.load(relaxed);
    return entry.function.load(relaxed) == function && mean >= limit() &&
           mean < ns_to_ticks(kShortNs);
  }

  void add(TaskFunction function, uint64_t duration);

 private:
  static constexpr size_t kEntries = 256;
  static constexpr uint64_t kShortNs = 20'000;

  struct Entry {
    Atomic<TaskFunction> function{nullptr};
    Atomic<uint64_t> mean{0};  // in ticks
  };

  static size_t index_of(TaskFunction function) {
    auto address = reinterpret_cast<uintptr_t>(function);
    return (address >> 4 ^ address >> 12) % kEntries;
  }
  static uint64_t limit() { return ns_to_ticks(kBriefNs); }

  Entry entries_[kEntries];
};

extern TaskDurations task_durations;

// Times one task in so many of those that a thread executes.
class DurationSample {
 public:
  explicit DurationSample(Member& member) {
    if (++member.tasks_until_sample % kInterval == 0) [[unlikely]]
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

}  // namespace bobbin
