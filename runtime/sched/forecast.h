// SPDX-License-Identifier: Apache-2.0
// What the past tells about the next region, for programs that open regions at intervals: one for
// each step of a simulation, request or frame. While helpers still spin since the last region, none
// of this is used. All times are in ticks.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/clock.h"
#include "sched/code_table.h"

namespace bobbin {

// Running mean and mean deviation, as TCP keeps them of its round trips (Jacobson, SIGCOMM 1988). A
// value far out of the range counts as one just outside it. So a single such value leaves the mean
// useful, and a new level is reached within some ten values.
class RunningMean {
 public:
  void learn(uint64_t value) {
    if (mean_ == 0) {
      mean_ = value;
      deviation_ = value / 4;
      return;
    }
    uint64_t error = value > mean_ ? value - mean_ : mean_ - value;
    uint64_t most = 4 * deviation_ + mean_ / 64 + 1;
    if (error > most) error = most;
    mean_ = value > mean_ ? mean_ + error / 8 : mean_ - error / 8;
    deviation_ = deviation_ - deviation_ / 4 + error / 4;
  }

  uint64_t mean() const { return mean_; }
  uint64_t deviation() const { return deviation_; }
  bool regular() const { return 4 * deviation_ < mean_; }

 private:
  uint64_t mean_ = 0;
  uint64_t deviation_ = 0;
};

// When a helper rises for an expected wake-up, and how long it watches for it.
struct Watch {
  int64_t lead = 0;      // it rises so long before the wake-up is due
  uint64_t longest = 0;  // how long it watches, from when it runs
};

// What a helper knows of its past wake-ups: with which lead it would have begun to run just when
// the wake-up came. A lead includes the error of the forecast and the delay of the timer. The
// helper rises early enough for nearly all of them, as far as it can afford the watching. There are
// more ways to be late than to be early, so the two ends are chosen separately.
class Punctuality {
 public:
  static constexpr unsigned kKept = 16;
  static constexpr unsigned kMisses = 6;  // how many of those it may miss
  // The time that it can afford beyond these wake-ups, divided by this, is added at either end, for
  // larger errors.
  static constexpr uint64_t kMarginPart = 8;

  void learn(int64_t lead) {
    leads_[next_++ % kKept] = lead;
    if (count_ < kKept) count_++;
  }

  void forget_most() {
    if (count_ > 2) count_ = 2;
  }

  // Plans at most `affordable` of watching on average. False: it does not pay. As long as little is
  // known, it begins with `first`.
  bool plan(uint64_t affordable, const Watch& first, Watch& watch) const {
    constexpr unsigned kFew = 4;
    if (count_ < kFew) {
      watch = first;
      return true;
    }
    int64_t sorted[kKept];
    sort_into(sorted);
    const unsigned most_misses = count_ * kMisses / kKept;
    for (unsigned misses = 0; misses <= most_misses; misses++) {
      uint64_t least = ~uint64_t{0};
      for (unsigned late = 0; late <= misses; late++) {
        const int64_t lead = sorted[count_ - 1 - late];
        const auto longest = static_cast<uint64_t>(lead - sorted[misses - late]);
        const uint64_t mean = mean_watch(lead, longest);
        if (mean >= least) continue;
        least = mean;
        watch = {lead, longest + longest / 2};
      }
      const uint64_t share = affordable * (count_ - misses) / count_;
      if (least > share) continue;
      const uint64_t margin = (share - least) / kMarginPart;
      watch.lead += static_cast<int64_t>(margin);
      watch.longest += 2 * margin;
      return true;
    }
    return false;
  }

 private:
  void sort_into(int64_t* sorted) const {
    for (unsigned i = 0; i < count_; i++) {
      const int64_t lead = leads_[(next_ - 1 - i) % kKept];
      unsigned at = i;
      for (; at > 0 && sorted[at - 1] > lead; at--) sorted[at] = sorted[at - 1];
      sorted[at] = lead;
    }
  }

  uint64_t mean_watch(int64_t lead, uint64_t longest) const {
    uint64_t sum = 0;
    for (unsigned i = 0; i < count_; i++) {
      const int64_t early = lead - leads_[(next_ - 1 - i) % kKept];
      if (early <= 0) continue;
      const auto watched = static_cast<uint64_t>(early);
      sum += watched < longest ? watched : longest;
    }
    return sum / count_;
  }

  int64_t leads_[kKept] = {};
  unsigned next_ = 0;
  unsigned count_ = 0;
};

// Whether a region had a helper from its beginning.
enum class Help : uint8_t { None, InTime };

// How long regions take, by the code that they execute. A length much above the others of the same
// code counts in full and is forgotten slowly, because to run a long region without help costs more
// than to wake a helper in vain. Also its threads may wait for each other where the runtime does
// not see it.
class RegionLengths {
 public:
  static constexpr uint64_t kUnknown = ~uint64_t{0};

  uint64_t expected(const void* code) const {
    const Entry* entry = entries_.find(code);
    return entry != nullptr ? entry->length : kUnknown;
  }
  // What help usually saves: with two threads, half of the time that one takes alone.
  uint64_t saving(const void* code) const {
    const Entry* entry = entries_.find(code);
    return entry != nullptr ? entry->saving : 0;
  }

  void learn(const void* code, uint64_t length, Help help) {
    const uint64_t saved = help == Help::InTime ? length : length / 2;
    Entry& entry = entries_.find_or_make(code);
    if (entry.length == kUnknown) {
      entry.length = length;
      entry.saving = saved;
      return;
    }
    const bool long_one = length > 2 * entry.length;
    entry.length = long_one ? length : entry.length - entry.length / 32 + length / 32;
    const uint64_t bounded = saved < 2 * entry.saving ? saved : 2 * entry.saving;
    entry.saving = entry.saving - entry.saving / 8 + bounded / 8;
  }

 private:
  struct Entry {
    const void* code = nullptr;
    uint64_t length = kUnknown;
    uint64_t saving = 0;
  };
  CodeTable<Entry> entries_;
};

// The time from a wake-up until the helper that slept runs; one value for all helpers.
class WakeUp {
 public:
  uint64_t expected() const { return sixteenths_.load(relaxed) * ticks_per_us() / 16; }

  void learn(uint64_t took) {
    uint64_t sixteenths = took * 16 / ticks_per_us();
    if (sixteenths > kMost) sixteenths = kMost;
    uint64_t known = sixteenths_.load(relaxed);
    sixteenths_.store(known - known / 4 + sixteenths / 4, relaxed);
  }
  void fade() {
    uint64_t known = sixteenths_.load(relaxed);
    sixteenths_.store(known - (known + 63) / 64, relaxed);
  }

 private:
  static constexpr uint64_t kMost = 16 * 200;
  Atomic<uint64_t> sixteenths_{0};  // of a microsecond; one of two simultaneous updates may be lost
};

}  // namespace bobbin
