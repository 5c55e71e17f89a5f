// SPDX-License-Identifier: Apache-2.0
// dynamic, nonmonotonic: each thread begins with a contiguous range of the chunks, takes from its
// front, and when that is empty cuts the rear half off somebody else's. So threads hardly ever meet
// on a cache line, and a thread of the team that has not begun yet holds nobody up.
//
// A range is one word: the next chunk in the lower half, one past the last in the upper. Empty if
// next >= end.
//
//   owner  adds 1 to the lower half, if the range was not empty when it looked; the chunk is its
//          own if the addition found next < end. Thieves may have lowered end in between, so next
//          may pass end, by one, once: an empty range, which the owner no longer adds to.
//   thief  CAS (next, end) -> (next, middle), takes chunk `middle` for itself and, its own range
//          being empty, stores (middle + 1, end) there: nobody changes an empty range but its
//          owner.
//
// Invariant: each chunk not yet taken is in one range, or in the hands of one thief between the CAS
// and the store. The word is all there is to a range, so that a CAS that finds an equal word again
// finds an equal range (no ABA); nothing else is published by it.
//
// To leave the loop early is no error but bad for the balance, so a thread leaves only if it has
// seen all ranges empty while nobody had chunks in his hands. WorkShare::next counts thieves: those
// at work in the lower half, those who are done in the upper. If it was the same before and after
// the look, and nobody at work, then nothing moved meanwhile and nothing is left: `exhausted`
// spares the others the look. Order: a thief counts itself before its CAS (release) and out after
// its store (release); who looks reads the count, the ranges (acquire), the count.
#pragma once

#include "construct/loop_static.h"
#include "team/team.h"

namespace bobbin {

struct ChunkRange {
  uint32_t next;
  uint32_t end;

  static ChunkRange from(uint64_t word) {
    return {static_cast<uint32_t>(word), static_cast<uint32_t>(word >> 32)};
  }
  uint64_t word() const { return static_cast<uint64_t>(end) << 32 | next; }
  bool empty() const { return next >= end; }
};

// Chunk numbers must fit, and next must be able to pass the end.
inline constexpr uint64_t kMostRangedChunks = 0xffffffff - 1;

// Gives each thread its range; by the first thread, before the region is open to the others.
inline void deal_ranges(Team& team, unsigned slot, uint64_t chunks) {
  for (unsigned num = 0; num < team.size; num++) {
    IterationRange part = block_of(chunks - 1, team.size, num);
    ChunkRange range{static_cast<uint32_t>(part.first), static_cast<uint32_t>(part.last)};
    team.members[num]->ranges.of[slot].store(range.word(), relaxed);
  }
}

// The owner's. False: the range is empty.
inline bool take_own_chunk(Atomic<uint64_t>& own, uint64_t& chunk) {
  if (ChunkRange::from(own.load(relaxed)).empty()) return false;
  ChunkRange range = ChunkRange::from(own.fetch_add(1, relaxed));
  chunk = range.next;
  return !range.empty();
}

// Called when the own range is empty. False: nothing is left for this thread.
bool steal_chunk(WorkShare& share, Member& thief, Team& team, unsigned slot, uint64_t& chunk);

}  // namespace bobbin
