// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/atomic.h"

namespace bobbin {

// Those who may still touch a team's region: the primary thread until the join, each other member
// until it rests, each adopter of one that rests. So a team's size less these many rest, and where
// all are inside a maker of tasks need call nobody.
//
// Invariants. The primary ends the region by 1 -> 0, and nobody joins it at 0. Who enters names the
// region that he means, or else is no member: a thread that has no part in the region that follows,
// entered all the same, would hide one that rests from the makers of tasks.
class Participants {
 public:
  // By the primary thread, before the region is published. What it wrote of the region is for those
  // too who enter it by a ticket that they found earlier.
  void open(uint64_t region, unsigned count) {
    word_.store(region << kRegionShift | count, release);
  }

  unsigned inside() const { return count(word_.load(relaxed)); }
  bool only_primary() const { return count(word_.load(acquire)) == 1; }
  // The region that was opened last.
  bool is_of(uint64_t region) const { return same(word_.load(relaxed), region); }

  // One more, unless this region is over.
  bool enter(uint64_t region) {
    return enter_if([=](uint64_t seen) { return same(seen, region); });
  }
  // Whichever it is. Only for those who are members of none.
  bool enter_any() {
    return enter_if([](uint64_t) { return true; });
  }
  // True: the primary sleeps until only it is left, and that is so now.
  bool leave() {
    uint64_t before = word_.fetch_sub(1, acq_rel);
    return static_cast<uint32_t>(before) == (kPrimaryWaits | 2);
  }

  // For the primary thread.
  void announce_wait() { word_.fetch_or(kPrimaryWaits, acq_rel); }
  void stop_waiting() {
    if ((word_.load(relaxed) & kPrimaryWaits) != 0) word_.fetch_and(~kPrimaryWaits, acq_rel);
  }
  bool end() {
    uint64_t seen = word_.load(relaxed);
    if (count(seen) != 1) return false;
    uint64_t ended = seen >> kRegionShift << kRegionShift;
    return word_.compare_exchange_strong(seen, ended, acq_rel, relaxed);
  }

 private:
  // The region's number, as far as it fits, above the count.
  static constexpr unsigned kRegionShift = 32;
  static constexpr uint64_t kPrimaryWaits = uint64_t{1} << 31;

  static unsigned count(uint64_t word) { return static_cast<uint32_t>(word & ~kPrimaryWaits); }
  static bool same(uint64_t word, uint64_t region) {
    return word >> kRegionShift == static_cast<uint32_t>(region);
  }

  template <class Wanted>
  bool enter_if(Wanted wanted) {
    uint64_t seen = word_.load(relaxed);
    do {
      if (count(seen) == 0 || !wanted(seen)) return false;
    } while (!word_.compare_exchange_weak(seen, seen + 1, acq_rel, relaxed));
    return true;
  }

  Atomic<uint64_t> word_{0};
};

}  // namespace bobbin
