// SPDX-License-Identifier: Apache-2.0
// The operations on a thread's record, and what the profile keeps in the data of a task.
#pragma once

#include "insight/profile/thread_record.h"
#include "insight/record/clock.h"
#include "insight/record/sites.h"

namespace bobbin::insight {

// The thread goes to another site.
inline void go_to(ThreadRecord& record, SiteNumber site) {
  const uint64_t now = ticks();
  record.tallies[record.at.now].ticks += now - record.header.last;
  record.header.last = now;
  record.at.now = site;
  record.just_made = nullptr;
}

// The same, and it comes there anew.
inline void enter(ThreadRecord& record, SiteNumber site) {
  go_to(record, site);
  record.tallies[site].count++;
}

// It begins the runtime's own work, after which it goes back to where it was.
inline void begin_own_work(ThreadRecord& record, SiteNumber site) {
  const SiteNumber outer = record.at.now;
  enter(record, site);
  record.at.outer = outer;
}
inline void end_own_work(ThreadRecord& record) { go_to(record, record.at.outer); }

inline void add(ThreadRecord& record, Count count, uint64_t more = 1) {
  record.counts[static_cast<unsigned>(count)] += more;
}

// The word of a task. 0: nothing is known of it.
//
//   bits 0-11 base | 12-23 work | 24-35 now | 36-47 outer | 62 begun | 63 known |
//        48-59 the slot's number of the thread that made it or, once it has begun, executed it last
class TaskWord {
 public:
  explicit TaskWord(uint64_t word) : word_(word) {}
  static TaskWord made(SiteNumber site, unsigned maker) {
    return TaskWord(kKnown | uint64_t{site} | uint64_t{maker} << (4 * kBits));
  }
  static TaskWord begun(const Whereabouts& at, unsigned thread) {
    return TaskWord(kKnown | kBegun | uint64_t{at.base} | uint64_t{at.work} << kBits |
                    uint64_t{at.now} << (2 * kBits) | uint64_t{at.outer} << (3 * kBits) |
                    uint64_t{thread} << (4 * kBits));
  }

  uint64_t word() const { return word_; }
  bool known() const { return (word_ & kKnown) != 0; }
  bool begun() const { return (word_ & kBegun) != 0; }
  unsigned thread() const { return field(4); }
  SiteNumber site() const { return static_cast<SiteNumber>(field(0)); }
  Whereabouts at() const {
    return {static_cast<SiteNumber>(field(0)), static_cast<SiteNumber>(field(1)),
            static_cast<SiteNumber>(field(2)), static_cast<SiteNumber>(field(3))};
  }

 private:
  static constexpr unsigned kBits = 12;
  static_assert(kSites <= 1u << kBits && kMostThreads <= 1u << kBits);
  static constexpr uint64_t kBegun = uint64_t{1} << 62;
  static constexpr uint64_t kKnown = uint64_t{1} << 63;

  unsigned field(unsigned number) const {
    return static_cast<unsigned>(word_ >> (number * kBits)) & ((1u << kBits) - 1);
  }

  uint64_t word_;
};

}  // namespace bobbin::insight
