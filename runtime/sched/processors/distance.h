// SPDX-License-Identifier: Apache-2.0
// How far processors are apart in the machine's tree, and the orders that follow: of a search that
// begins with the nearest, of calls that begin with the fastest, and of the numbers that threads
// get. Topology in, order out: this knows nothing of workers.
#pragma once

#include <cstdint>

#include "platform/processors/topology.h"

namespace bobbin {

// The smallest group of the machine's tree that two processors are both in.
enum class Nearness : std::uint8_t {
  Unknown,
  Core,
  Cache,  // a last-level cache
  Node,   // of memory (NUMA)
  Package,
  Machine,
};

class Distance {
 public:
  // Until fill() all processors are equally far apart.
  Distance() = default;
  Distance(const Distance&) = delete;
  Distance& operator=(const Distance&) = delete;
  // Not a destructor, because the machine's distances outlive everything, exit included.
  void clear();

  // Without memory all processors stay equally far apart.
  void fill(const Topology& topology);

  // At least 1. Level 0 is the smallest group of more than one processor, the last level is the
  // machine. A level that divides nothing is left out: on a machine of equal cores below one cache
  // there is one level.
  unsigned levels() const { return levels_; }

  // The level of the smallest group in which both processors are. Processors are named by the
  // kernel's numbers; one that is not known is as far as can be.
  unsigned between(int a, int b) const {
    const unsigned last = levels_ - 1;
    for (unsigned level = 0; level < last; ++level) {
      const std::uint16_t group = group_of(a, level);
      if (group != kNoGroup && group == group_of(b, level)) return level;
    }
    return last;
  }

  // The number of the processor's last-level cache, from 0; 0 for one that is not known.
  unsigned cache_of(int processor) const { return knows(processor) ? caches_[processor] : 0; }

  // What the groups of that level are.
  Nearness groups(unsigned level) const { return kinds_[level]; }

  // Are all processors equally far apart and equally fast? Then no order is better than another.
  bool flat() const { return levels_ == 1 && kinds_of_cores_ == 1; }

  // Which of two idle processors is called first from `here`? The one with the smaller rank: a
  // faster one, and of equally fast ones the nearer.
  unsigned call_rank(int here, int processor) const {
    return slower_by(processor) * levels_ + between(here, processor);
  }

  // The order in which processors get the threads of a team whose primary thread is on `primary`,
  // from 0. The primary's is first. Then come the fastest ones. Those of one group are adjacent,
  // and in the primary's kind the order begins behind the primary. A processor that is not known
  // counts as the first.
  unsigned turn(int processor, int primary) const {
    if (processors_ == 0) return 0;
    const unsigned at = position(processor), first = position(primary);
    const unsigned kind = kind_at(at), begin = kind_begin_[kind];
    if (kind != kind_at(first)) return at + (at < first ? 1 : 0);
    const unsigned size = kind_begin_[kind + 1] - begin;
    const unsigned behind = (at + size - first) % size;
    return behind == 0 ? 0 : begin + behind;
  }
  unsigned processors() const { return processors_; }

 private:
  static constexpr unsigned kMostLevels = 5;  // core, cache, NUMA node, package, machine
  static constexpr unsigned kMostKinds = 8;   // of cores; slower ones count as the last kind
  static constexpr std::uint16_t kNoGroup = UINT16_MAX;

  void order_by_speed(const Topology& topology);

  bool knows(int processor) const {
    return processor >= 0 && static_cast<unsigned>(processor) < span_;
  }
  std::uint16_t group_of(int processor, unsigned level) const {
    return knows(processor) ? groups_[level * span_ + static_cast<unsigned>(processor)] : kNoGroup;
  }

  // The kind of the processor at this position, 0 for the fastest.
  unsigned kind_at(unsigned position) const {
    unsigned kind = 0;
    while (position >= kind_begin_[kind + 1]) ++kind;
    return kind;
  }
  unsigned position(int processor) const {
    const unsigned position = knows(processor) ? positions_[processor] : kNoGroup;
    return position != kNoGroup ? position : 0;
  }
  unsigned slower_by(int processor) const {
    return kinds_of_cores_ > 1 ? kind_at(position(processor)) : 0;
  }

  unsigned levels_ = 1;
  unsigned kinds_of_cores_ = 1;
  unsigned kind_begin_[kMostKinds + 1] = {};           // positions; behind the last kind: the end
  Nearness kinds_[kMostLevels] = {Nearness::Machine};  // by level
  unsigned span_ = 0;  // one more than the highest number of a processor
  unsigned processors_ = 0;
  std::uint16_t* groups_ = nullptr;  // [kMostLevels - 1][span_]
  // [span_], in the same memory. The order of kinds, from the fastest, and in each of them the
  // tree's.
  std::uint16_t* positions_ = nullptr;
  std::uint16_t* caches_ = nullptr;  // [span_], likewise
};

// Asks candidates 0 .. count-1 until one agrees: visit(candidate) returns whether it does. Returns
// whether one did. `here` and where(candidate) are processors.
// `first` is asked first: it may be one that had work the last time. Then the nearest are asked;
// among equally near ones it begins behind `first`, so that searchers who begin differently do not
// follow each other. A candidate may move during the search, so the last round asks all of them,
// also those that were near.
template <class Where, class Visit>
bool ask_nearest_first(const Distance& distance, int here, unsigned count, unsigned first,
                       Where&& where, Visit&& visit) {
  const unsigned last = distance.levels() - 1;
  for (unsigned level = 0; level <= last; ++level) {
    for (unsigned step = 0, at = first; step < count; ++step, ++at) {
      if (at >= count) at -= count;
      const bool skipped =
          level < last && distance.between(here, where(at)) != level && (level != 0 || step != 0);
      if (!skipped && visit(at)) return true;
    }
  }
  return false;
}

}  // namespace bobbin
