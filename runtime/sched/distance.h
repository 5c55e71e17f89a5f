// SPDX-License-Identifier: Apache-2.0
// How far processors are apart in the machine's tree, and the order of a search that begins with
// the nearest. Topology in, order out: this knows nothing of workers.
#pragma once

#include <cstdint>

#include "platform/topology.h"

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

  // What the groups of that level are.
  Nearness groups(unsigned level) const { return kinds_[level]; }

  // Processors in the tree's order: those of one group are adjacent. 0 for one that is not known.
  unsigned position(int processor) const { return knows(processor) ? positions_[processor] : 0; }
  unsigned processors() const { return processors_; }

 private:
  static constexpr unsigned kMostLevels = 5;  // core, cache, NUMA node, package, machine
  static constexpr std::uint16_t kNoGroup = UINT16_MAX;

  bool knows(int processor) const {
    return processor >= 0 && static_cast<unsigned>(processor) < span_;
  }
  std::uint16_t group_of(int processor, unsigned level) const {
    return knows(processor) ? groups_[level * span_ + static_cast<unsigned>(processor)] : kNoGroup;
  }

  unsigned levels_ = 1;
  Nearness kinds_[kMostLevels] = {Nearness::Machine};  // by level
  unsigned span_ = 0;  // one more than the highest number of a processor
  unsigned processors_ = 0;
  std::uint16_t* groups_ = nullptr;     // [kMostLevels - 1][span_]
  std::uint16_t* positions_ = nullptr;  // [span_], in the same memory
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
