// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/memory/blocks.h"

// Static schedules for programs that step through their iterations themselves: the first chunk of
// each thread, in numbers of iterations, and the distance to its next chunk (section 11.5.3).
namespace bobbin {

struct StaticPart {
  IterationRange range;  // the thread's first chunk; empty: none
  uint64_t stride;       // from one chunk of the thread to its next; 0: it has only this one
  bool last;             // the thread has the loop's last iteration
};

// `count`: at least 1.
inline StaticPart block_part(uint64_t count, unsigned size, unsigned num) {
  IterationRange range = block_of(count, size, num);
  return {range, 0, range.last == count && range.first != range.last};
}

inline StaticPart cyclic_part(uint64_t count, uint64_t chunk, unsigned size, unsigned num) {
  if (chunk < 1) chunk = 1;
  if (chunk > count) chunk = count;
  uint64_t chunks = (count - 1) / chunk + 1;
  if (num >= chunks) return {{count, count}, 0, false};
  uint64_t first = num * chunk;
  uint64_t last = num == chunks - 1 ? count : first + chunk;
  // If there is a next chunk, `size` chunks are fewer than the loop's iterations: no overflow.
  bool only = chunks - num <= size;
  return {{first, last}, only ? 0 : chunk * size, (chunks - 1) % size == num};
}

// One block for each thread. Its length is rounded up to a multiple of `chunk`, for vectors.
inline StaticPart rounded_block_part(uint64_t count, uint64_t chunk, unsigned size, unsigned num) {
  if (chunk < 1) chunk = 1;
  uint64_t block = (count - 1) / size + 1;
  block = ((block - 1) / chunk + 1) * chunk;
  uint64_t blocks = (count - 1) / block + 1;
  if (num >= blocks) return {{count, count}, 0, false};
  uint64_t first = num * block;
  uint64_t last = num == blocks - 1 ? count : first + block;
  return {{first, last}, 0, num == blocks - 1};
}

}  // namespace bobbin
