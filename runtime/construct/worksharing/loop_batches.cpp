// SPDX-License-Identifier: Apache-2.0
#include "construct/worksharing/loop_batches.h"

#include "env/tuning.h"
#include "sched/workers/worker.h"

namespace bobbin {
namespace {

// Uses only what the thread itself knows: reading the counter here would fetch its line twice.
uint64_t batch_size(const ChunkBatch& batch, uint64_t chunks, unsigned team_size) {
  constexpr uint64_t kBatchesToCome = 4;  // for each thread, at least
  if (!enabled(Heuristic::LoopBatches)) return 1;
  uint64_t most = (chunks - batch.end) / (kBatchesToCome * team_size);
  if (most == 0) most = 1;
  return batch.size < most ? batch.size : most;
}

bool draw(WorkShare& share, ChunkBatch& batch, unsigned team_size) {
  const uint64_t before = ticks();
  if (batch.end != 0) {
    batch.size = better_batch_size(batch.size, before - batch.drawn_at, batch.draw_ticks);
  }
  const uint64_t chunks = share.plan.chunks;
  const uint64_t size = batch_size(batch, chunks, team_size);
  if (!draw_chunks(batch, share.next, chunks, size)) return false;
  batch.drawn_at = ticks();
  batch.draw_ticks = batch.drawn_at - before;
  if (global_icvs().count_heuristics) [[unlikely]]  // else self() is not needed
    self().worker->counts.ask(Heuristic::LoopBatches, size > 1);
  return true;
}

}  // namespace

bool next_in_batches(WorkShare& share, ChunkBatch& batch, unsigned team_size,
                     IterationRange& range) {
  const LoopPlan& plan = share.plan;
  if (batch.left == 0) {
    if (!draw(share, batch, team_size)) return false;
    batch.stride = plan.chunk * plan.step;
    batch.step = plan.step;
    batch.begin = program_begin(plan, (batch.end - batch.left + 1) * plan.chunk);
  }
  range = chunk_iterations(plan, batch.end - batch.left);
  batch.left--;
  return true;
}

}  // namespace bobbin
