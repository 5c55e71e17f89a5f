// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "team/model/arrival_tree.h"

namespace bobbin {

// The threads that may still touch a team's region: the primary thread until the join, each other
// member until it rests, each adopter of a resting member. So the team's size minus this number is
// the number of members that rest. If all are inside, a maker of tasks need not wake any.
//
// Free agents (team/regions/free_agents.h) take part, too, but are no members. They are counted a
// second time, as guests, in the same word, so that inside() can leave them out.
//
// Invariants: The primary thread ends the region by 1 -> 0, and no thread enters it at 0. A thread
// that enters either names the region that it means or is not a member. Otherwise a member without
// a part in the next region could enter that region, and would hide a resting member from the
// makers of tasks.
//
// In large teams the members that rest leave by a tree. Those who are counted within the tree are
// also still in the count here, and inside() subtracts them. While a thread goes from one counter
// of the tree to the next, inside() takes it, and those for whom it goes, for threads that do not
// rest yet. So a maker of tasks may miss them at that moment. They are not forgotten: that thread
// looks for offers of tasks after it has left, as each one does.
class Participants {
 public:
  // By which tree the members leave.
  void rest_in(ArrivalTree tree) { rests_ = tree; }

  // Called by the primary thread before the region is published. The release also covers threads
  // that enter the region by a ticket that they found earlier.
  void open(uint64_t region, unsigned count) {
    word_.store(region << kRegionShift | count, release);
  }

  // `size`: the team's.
  unsigned inside(unsigned size) const {
    // The acquire shows the counters as those left them who are not counted at the top any more, so
    // none is taken away twice.
    const unsigned at_top = members(word_.load(acquire));
    if (at_top <= 1) return at_top;
    const unsigned resting = rests_.below_top(size - 1);
    return at_top > resting ? at_top - resting : 1;
  }
  bool only_primary() const { return count(word_.load(acquire)) == 1; }
  // Is `region` the one that was opened last?
  bool is_of(uint64_t region) const { return same(word_.load(relaxed), region); }

  // Adds a participant, unless this region is over.
  bool enter(uint64_t region) {
    return enter_if([=](uint64_t seen) { return same(seen, region); });
  }
  // Enters whichever region is open. Only for callers that are members of no team.
  bool enter_any() {
    return enter_if([](uint64_t) { return true; });
  }
  // The same for a guest, which leave_as_guest() takes away.
  bool enter_as_guest() {
    return enter_if([](uint64_t) { return true; }, kGuest + 1);
  }
  // These return true if the primary thread sleeps until only it is left, and now only it is left.
  // For those who have entered:
  bool leave() { return leave_with(1); }
  bool leave_as_guest() { return leave_with(kGuest + 1); }
  // For the team's member `num`, which has not:
  bool rest(unsigned num, unsigned size) {
    const unsigned brings = rests_.climb(num - 1, size - 1);  // the primary thread stays
    return brings != 0 && leave_with(brings);
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
  // The region's number, truncated to the bits above the count.
  static constexpr unsigned kRegionShift = 32;
  static constexpr uint64_t kPrimaryWaits = uint64_t{1} << 31;
  // Guests are counted in the bits from this one on, all participants in those below.
  static constexpr unsigned kGuestShift = 25;
  static constexpr unsigned kGuest = 1U << kGuestShift;

  static unsigned count(uint64_t word) { return static_cast<uint32_t>(word) % kGuest; }
  static unsigned members(uint64_t word) {
    return count(word) - (static_cast<uint32_t>(word & ~kPrimaryWaits) >> kGuestShift);
  }
  static bool same(uint64_t word, uint64_t region) {
    return word >> kRegionShift == static_cast<uint32_t>(region);
  }

  bool leave_with(unsigned leaving) {
    uint64_t before = word_.fetch_sub(leaving, acq_rel);
    return (before & kPrimaryWaits) != 0 && count(before) == leaving % kGuest + 1;
  }

  template <class Wanted>
  bool enter_if(Wanted wanted, unsigned entering = 1) {
    uint64_t seen = word_.load(relaxed);
    do {
      if (count(seen) == 0 || !wanted(seen)) return false;
    } while (!word_.compare_exchange_weak(seen, seen + entering, acq_rel, relaxed));
    return true;
  }

  ArrivalTree rests_;  // constant, so not in the line that all write
  alignas(kCacheLine) Atomic<uint64_t> word_{0};
};

}  // namespace bobbin
