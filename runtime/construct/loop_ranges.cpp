// SPDX-License-Identifier: Apache-2.0
#include "construct/loop_ranges.h"

namespace bobbin {
namespace {

// WorkShare::next.
constexpr uint64_t kAtWork = 1;
constexpr uint64_t kDone = uint64_t{1} << 32;

bool any_at_work(uint64_t thieves) { return static_cast<uint32_t>(thieves) != 0; }

// Takes the rear half of the victim's range: its first chunk to execute, the others to keep.
bool rob(WorkShare& share, Atomic<uint64_t>& victim, Atomic<uint64_t>& own, uint64_t& chunk) {
  uint64_t seen = victim.load(acquire);
  if (ChunkRange::from(seen).empty()) return false;
  share.next.fetch_add(kAtWork, acq_rel);
  bool robbed = false;
  for (ChunkRange range = ChunkRange::from(seen); !range.empty(); range = ChunkRange::from(seen)) {
    uint32_t middle = range.next + (range.end - range.next) / 2;
    ChunkRange rest{range.next, middle};
    if (victim.compare_exchange_weak(seen, rest.word(), acq_rel, acquire)) {
      chunk = middle;
      own.store(ChunkRange{middle + 1, range.end}.word(), release);
      robbed = true;
      break;
    }
  }
  share.next.fetch_add(kDone - kAtWork, release);
  return robbed;
}

}  // namespace

bool steal_chunk(WorkShare& share, Member& thief, Team& team, unsigned slot, uint64_t& chunk) {
  // A thief that has lost its processor keeps what it has in its hands; it is not worth to wait
  // for.
  constexpr int kLooks = 16;
  Atomic<uint64_t>& own = thief.ranges.of[slot];
  for (int looks = spin_limit(kLooks); looks > 0; looks--) {
    if (share.exhausted.load(relaxed)) return false;
    uint64_t before = share.next.load(acquire);
    unsigned victim = thief.position.victim;
    if (victim >= team.size) victim = 0;
    for (unsigned tried = 0; tried < team.size; tried++) {
      if (victim != thief.num && rob(share, team.members[victim]->ranges.of[slot], own, chunk)) {
        thief.position.victim = victim;
        return true;
      }
      if (++victim == team.size) victim = 0;
    }
    if (!any_at_work(before) && share.next.load(acquire) == before) break;
    cpu_pause();
  }
  chunk = share.plan.chunks - 1;
  return !share.exhausted.exchange(true, relaxed);
}

}  // namespace bobbin
