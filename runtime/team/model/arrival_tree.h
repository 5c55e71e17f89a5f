// SPDX-License-Identifier: Apache-2.0
// Counts the threads of a team that have come to a point, for teams on many processors: if all
// added to one counter, its cache line would go from one to the next, and the last would be as late
// as they are many. Here the threads of a group, of eight neighbouring numbers, add to a counter of
// the group, so do the groups of eight groups, and so on. Only the last thread of a group goes on
// to the next counter. The counter at the top is the caller's, and counts threads, too: whoever
// comes there adds as many as it has come for.
//
// Invariant: a thread that has come is counted in exactly one counter, in that of the smallest
// group on its way up that is not complete, or at the top. The one exception is a thread that is
// between two of them, and has those with it for which it goes up. So when the top counts all
// threads, all other counters are 0, and the tree may serve a team of another size.
//
// The last thread of a group sets its counter back before it goes up. Nobody else writes that
// counter until all have come: the threads of the group have come, and each comes once. What
// follows (the opening of a barrier, the next region) makes them see the 0.
//
// Each addition releases what its thread did before and acquires what the threads before it did in
// that counter. So the last to come to the top has seen what all have done.
#pragma once

#include <cstdint>

#include "platform/atomic.h"

namespace bobbin {

class ArrivalTree {
 public:
  struct alignas(kCacheLine) Node {
    Atomic<std::uint32_t> count{0};
  };

#if defined(BOBBIN_MODEL)
  // Tests with few threads lower them.
  static inline unsigned kGroup = 8;
  static inline unsigned kFlat = 16;
#else
  static constexpr unsigned kGroup = 8;  // threads, or groups, that share a counter
  static constexpr unsigned kFlat = 16;  // so many use the counter at the top only
#endif

  // Without nodes each thread goes to the top.
  ArrivalTree() = default;
  explicit ArrivalTree(Node* nodes) : nodes_(nodes) {}

  // How many a tree for so many threads, or fewer, needs.
  static unsigned nodes_for(unsigned threads) {
    unsigned nodes = 0;
    for (unsigned width = threads; width > kFlat;) nodes += width = groups_of(width);
    return nodes;
  }

  // Thread `num` of a team of `size` has come. Returns for how many threads it goes on to the top,
  // or 0: another one will.
  unsigned climb(unsigned num, unsigned size) {
    if (nodes_ == nullptr || size <= kFlat) [[likely]]
      return 1;
    return climb_nodes(num, size);
  }

  // How many have come and are not counted at the top, nor on their way there.
  unsigned below_top(unsigned size) const {
    unsigned sum = 0;
    if (nodes_ == nullptr) return 0;
    for (unsigned i = 0, count = nodes_for(size); i < count; ++i) {
      sum += nodes_[i].count.load(relaxed);
    }
    return sum;
  }

  // Forgets those who have come. Called when nobody comes.
  void reset(unsigned size) {
    if (nodes_ == nullptr) return;
    for (unsigned i = 0, count = nodes_for(size); i < count; ++i) {
      nodes_[i].count.store(0, relaxed);
    }
  }

 private:
  static unsigned groups_of(unsigned width) { return (width + kGroup - 1) / kGroup; }

  unsigned climb_nodes(unsigned num, unsigned size) {
    unsigned brings = 1;
    unsigned in_group = kGroup;  // threads, in a group that is not the last one of its level
    Node* level = nodes_;
    for (unsigned width = size, at = num; width > kFlat; in_group *= kGroup) {
      at /= kGroup;
      width = groups_of(width);
      const unsigned before = at * in_group;
      const unsigned all = size - before < in_group ? size - before : in_group;
      Atomic<std::uint32_t>& count = level[at].count;
      if (count.fetch_add(brings, acq_rel) + brings != all) return 0;
      count.store(0, relaxed);
      brings = all;
      level += width;
    }
    return brings;
  }

  Node* nodes_ = nullptr;
};

}  // namespace bobbin
