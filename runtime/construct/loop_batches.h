// SPDX-License-Identifier: Apache-2.0
// dynamic: threads draw batches of chunks from one counter, and begin the chunks of a batch without
// a look at anything shared. Where iterations are brief the draw would be most of the time: the
// counter's cache line comes from another processor.
//
// Invariant: WorkShare::next is one past the last chunk that was drawn, or has passed the end; it
// only grows, by read-modify-writes. So each chunk is in one batch and each batch is one thread's,
// and a thread's batches, and so its iterations, ascend: the schedule is monotonic (section
// 11.5.3). Programs built by GCC count on that whatever their schedule clause says, for libgomp is
// always monotonic: "the first one that I find is the lowest of mine". That is why nobody takes
// from another thread's batch: who has nothing left is further on than all that others have.
//
// What a thread has drawn is thereby its own, however long it takes. So a batch is no larger than
// pays: a few per cent of its time for the draw, as the last batch went (an iteration of several
// microseconds is drawn alone), not more than kMostInBatch, and less towards the end of the loop,
// where it decides who is last. A draw takes longer the more threads meet there, so batches grow
// with the team by themselves.
#pragma once

#include "construct/iteration_space.h"
#include "platform/clock.h"
#include "team/team.h"

namespace bobbin {

// More do not make a loop of empty iterations much quicker, and cost the more where brief
// iterations are followed by a few that are long.
inline constexpr uint64_t kMostInBatch = 32;

// How many times as long as its draw a batch should take, or up to twice that.
inline constexpr uint64_t kWorthADraw = 32;

// So many that no thread draws past 2^64, however often.
inline constexpr uint64_t kMostBatchedChunks = uint64_t{1} << 63;

// The next chunk of those that the thread has drawn, as the program counts. The first and the last
// of a batch are not given here, but by next_in_batches().
inline bool next_of_batch(ChunkBatch& batch, uint64_t& begin, uint64_t& end) {
  if (batch.left <= 1) return false;
  batch.left--;
  begin = batch.begin;
  end = batch.begin += batch.stride;
  return true;
}

// The next batch. False: there are no more.
inline bool draw_chunks(ChunkBatch& batch, Atomic<uint64_t>& next, uint64_t chunks, uint64_t most) {
  uint64_t first = next.fetch_add(most, relaxed);
  if (first >= chunks) return false;
  batch.left = chunks - first < most ? chunks - first : most;
  batch.end = first + batch.left;
  return true;
}

// How many chunks to draw next, if the last draw took `draw` ticks, and the `size` chunks that it
// brought `took`.
inline uint64_t better_batch_size(uint64_t size, uint64_t took, uint64_t draw) {
  const uint64_t enough = (draw + 1) * kWorthADraw;
  if (took < enough) return size < kMostInBatch ? size * 2 : size;
  for (; took > 2 * enough && size > 1; took /= 2) size /= 2;
  return size;
}

// Any chunk.
bool next_in_batches(WorkShare& share, ChunkBatch& batch, unsigned team_size,
                     IterationRange& range);

}  // namespace bobbin
