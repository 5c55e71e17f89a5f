// SPDX-License-Identifier: Apache-2.0
// The dynamic schedule: threads draw batches of chunks from one counter. They begin the chunks of a
// batch without reading anything shared. With brief iterations, a draw for each chunk would take
// most of the time, because the counter's cache line comes from another processor.
//
// Invariant: WorkShare::next is one past the last chunk that was drawn, or has passed the end. It
// only grows, by read-modify-writes. So each chunk is in one batch and each batch belongs to one
// thread. A thread's batches, and so its iterations, ascend: the schedule is monotonic (section
// 11.5.3). Programs built by GCC rely on that whatever their schedule clause says, because libgomp
// is always monotonic: "the first one that I find is the lowest of mine". Therefore no thread takes
// chunks from another thread's batch: a thread that has nothing left is already beyond all chunks
// that the others have.
//
// So a thread keeps all chunks that it has drawn, however long they take. Therefore a batch is only
// as large as is worth it. The draw is to take a few per cent of the batch's time, judged by the
// last batch (an iteration of several microseconds is drawn alone). A batch has at most
// kMostInBatch chunks, and fewer towards the end of the loop, where its size decides which thread
// finishes last. A draw takes longer the more threads draw at the same time, so batches grow with
// the team by themselves.
#pragma once

#include "construct/worksharing/iteration_space.h"
#include "platform/clocks/clock.h"
#include "team/model/team.h"

namespace bobbin {

// Larger batches hardly speed up a loop of empty iterations. They cost more where brief iterations
// are followed by a few that are long.
inline constexpr uint64_t kMostInBatch = 32;

// A batch should take this many times as long as its draw, or up to twice that.
inline constexpr uint64_t kWorthADraw = 32;

// With at most this many chunks, the draws never pass 2^64, however many there are.
inline constexpr uint64_t kMostBatchedChunks = uint64_t{1} << 63;

// The next chunk of the thread's batch, in the program's numbers. The first and the last chunk of a
// batch come from next_in_batches() instead.
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

// How many chunks to draw next. The last draw took `draw` ticks, and its `size` chunks took `took`
// ticks.
inline uint64_t better_batch_size(uint64_t size, uint64_t took, uint64_t draw) {
  const uint64_t enough = (draw + 1) * kWorthADraw;
  if (took < enough) return size < kMostInBatch ? size * 2 : size;
  for (; took > 2 * enough && size > 1; took /= 2) size /= 2;
  return size;
}

// The next chunk, whether it is in the current batch or in a new one.
bool next_in_batches(WorkShare& share, ChunkBatch& batch, unsigned team_size,
                     IterationRange& range);

}  // namespace bobbin
