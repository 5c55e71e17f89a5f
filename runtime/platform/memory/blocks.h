// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Divides items into contiguous blocks, one for each of `size` takers. The lengths differ by one at
// most, and the longer blocks come first. Static schedules divide iterations this way, and thread
// affinity divides places.
namespace bobbin {

// A run of items.
struct IterationRange {
  uint64_t first;
  uint64_t last;  // one past
};

inline IterationRange block_of(uint64_t count, unsigned size, unsigned num) {
  uint64_t share = count / size;
  uint64_t larger = count % size;
  uint64_t first = num * share + (num < larger ? num : larger);
  return {first, first + share + (num < larger ? 1 : 0)};
}

// The number of the block that holds this item.
inline unsigned block_owner(uint64_t count, unsigned size, uint64_t item) {
  uint64_t share = count / size;
  uint64_t larger = count % size;
  uint64_t boundary = larger * (share + 1);
  if (item < boundary) return static_cast<unsigned>(item / (share + 1));
  return static_cast<unsigned>(larger + (item - boundary) / share);
}

}  // namespace bobbin
