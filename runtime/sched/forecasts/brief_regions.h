// SPDX-License-Identifier: Apache-2.0
// Regions that are better run without help: the forking thread executes all threads of the team,
// one after the other.
//
// To hand a thread of the team to a helper costs a few transfers of cache lines, there and back:
// 0.3 us, or 1 us between distant processors. A region with less work than that is faster without
// help. The work of a region is not known, and the cost of the hand-over changes with the
// processors on which the kernel puts the threads. So both ways are tried, separately for each code
// that regions execute: some regions run with help, as many without. Then the way that took less
// time in total is used.
//
//   Helped --(a number of regions)--> TryHelped --> TryAlone --(quicker)--> Alone
//      ^                                               |                    |  |
//      +------------------(not quicker)----------------+--(lost its gain)---+  +--> TryHelped
//
// A wrong decision must stay cheap, because the next region of the same code may be a thousand
// times as long, or its threads may wait for each other where the runtime does not see it.
//   - A trial without help ends as soon as it is plain that it will not win. Each trial that fails
//     makes the time until the next one longer; a trial that took very long makes it much longer.
//   - In state Alone each region is timed. An account holds the time that has been gained. A region
//     that is longer than those of the trial is charged with half of the difference, which is the
//     time that help would have saved. When the account is empty, regions get help again.
#pragma once

#include <cstdint>

#include "sched/forecasts/code_table.h"
#include "sched/forecasts/deadline.h"

namespace bobbin {

class BriefRegions {
 public:
  enum class Way : uint8_t {
    Untimed,  // with help
    Helped,   // the same, and timed
    Alone,    // timed
  };

  // How the next region of this code, which begins now, is to run. `wake_up`: the time from the
  // wake-up of a sleeping helper until it runs. All times are in ticks.
  Way next(const void* code, uint64_t now, uint64_t wake_up) {
    Entry& entry = entries_.find_or_make(code);
    if (entry.phase == Phase::TryAlone) return Way::Alone;
    const bool alone = entry.phase == Phase::Alone;
    if (entry.phase != Phase::TryHelped) {
      if (--entry.until_trial != 0) return alone ? Way::Alone : Way::Untimed;
      entry.phase = Phase::TryHelped;
      entry.settled_at = alone ? now + 2 * wake_up : now;
      entry.helped = entry.alone = Samples{};
    }
    return still_to_come(entry.settled_at, now) ? Way::Untimed : Way::Helped;
  }

  // `us`: ticks in a microsecond. True: alone the regions have lost what they had gained.
  bool learn(const void* code, uint64_t took, Way way, uint64_t us) {
    Entry* entry = entries_.find(code);
    if (entry == nullptr) return false;  // displaced by another code meanwhile
    if (entry->phase == Phase::TryHelped && way == Way::Helped) {
      entry->helped.add(took);
      if (entry->helped.enough()) entry->phase = Phase::TryAlone;
    } else if (entry->phase == Phase::TryAlone && way == Way::Alone) {
      entry->try_alone(took, us);
    } else if (entry->phase == Phase::Alone && way == Way::Alone) {
      return !entry->account_for(took, us);
    }
    return false;
  }

  static constexpr uint32_t kFirstTrial = 64;  // regions from one trial to the next
  static constexpr uint32_t kLongest = 1u << 20;
  static constexpr uint32_t kAloneTrial = 1u << 16;
  static constexpr int64_t kCredit = 64;         // the account at first, in regions' gains
  static constexpr uint64_t kMostSavedUs = 500;  // in the account
  static constexpr uint64_t kEighthsWorth = 7;   // of the time with help: alone is to take less
  static constexpr uint64_t kMostAloneUs = 100;
  static constexpr uint64_t kLongUs = 4000;  // regions that take as long are not tried soon
  static constexpr uint32_t kRarer = 4;      // after a trial in vain
  static constexpr uint32_t kMuchRarer = 16;

 private:
  enum class Phase : uint8_t { Helped, TryHelped, TryAlone, Alone };

  // A trial's regions of one way. The two longest do not count: they may have been disturbed.
  class Samples {
   public:
    void add(uint64_t took) {
      count_++;
      sum_ += took;
      if (took > longest_[0]) {
        longest_[1] = longest_[0];
        longest_[0] = took;
      } else if (took > longest_[1]) {
        longest_[1] = took;
      }
    }
    bool enough() const { return count_ == kCounted + 2; }
    uint64_t counted() const { return sum_ - longest_[0] - longest_[1]; }
    int64_t mean() const { return static_cast<int64_t>(counted() / kCounted); }

   private:
    static constexpr unsigned kCounted = 14;
    unsigned count_ = 0;
    uint64_t sum_ = 0;
    uint64_t longest_[2] = {};
  };

  struct Entry {
    const void* code = nullptr;
    Phase phase = Phase::Helped;
    uint32_t until_trial = kFirstTrial;
    uint32_t interval = kFirstTrial;
    uint64_t settled_at = 0;  // from then on a helper that was woken before runs
    Samples helped;
    Samples alone;
    int64_t gain = 0;  // per region that runs alone and is as long as usual
    int64_t usual = 0;
    int64_t account = 0;

    void go_helped(uint32_t times_longer) {
      phase = Phase::Helped;
      interval = interval < kLongest / times_longer ? interval * times_longer : kLongest;
      until_trial = interval;
    }

    void try_alone(uint64_t took, uint64_t us) {
      alone.add(took);
      if (8 * alone.counted() > kEighthsWorth * helped.counted() || took > kMostAloneUs * us) {
        go_helped(took < kMostAloneUs * us ? kRarer : took < kLongUs * us ? kMuchRarer : kLongest);
      } else if (alone.enough()) {
        phase = Phase::Alone;
        until_trial = kAloneTrial;
        usual = alone.mean();
        gain = helped.mean() - usual;
        account = kCredit * gain;
      }
    }

    // False: the account is empty.
    bool account_for(uint64_t took, uint64_t us) {
      const auto most = static_cast<int64_t>(kMostSavedUs * us);
      account += gain - (static_cast<int64_t>(took) - usual) / 2;
      if (account < 0) {
        go_helped(kRarer);
        return false;
      }
      if (account > most) {
        account = most;
        interval = kFirstTrial;
      }
      return true;
    }
  };

  CodeTable<Entry> entries_;
};

}  // namespace bobbin
