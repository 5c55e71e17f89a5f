// SPDX-License-Identifier: Apache-2.0
#include "construct/worksharing/doacross.h"

#include <cstdlib>
#include <new>

#include "platform/diagnostics.h"
#include "platform/locks/spinlock.h"
#include "platform/memory.h"
#include "platform/watchers/happens_before.h"

namespace bobbin {
namespace {

// A lane of a nest whose vectors do not fit one number. The vector lies behind it.
struct WideLane {
  SpinLock lock;
  bool posted = false;

  uint64_t* vector() { return reinterpret_cast<uint64_t*>(this + 1); }
};

// A thread's lane has a cache line of its own. The lanes of chunks, each written once or a few
// times, may be too many for that.
constexpr uint64_t kMostSpacedLanes = 4096;

size_t flat_lane_bytes(uint64_t lanes) {
  return lanes <= kMostSpacedLanes ? kCacheLine : sizeof(uint64_t);
}

bool compute_strides(unsigned dimensions, const uint64_t* counts, uint64_t* strides) {
  uint64_t stride = 1;
  for (unsigned i = dimensions; i-- > 0;) {
    strides[i] = stride;
    if (__builtin_mul_overflow(stride, counts[i], &stride)) return false;
  }
  return true;
}

uint64_t lane_of(const Doacross& doacross, const WorkShare& share, const Team& team,
                 uint64_t outermost) {
  if (doacross.lane_unit != 0) return outermost / doacross.lane_unit;
  const LoopPlan& plan = share.plan;
  if (plan.handout == Handout::Cyclic) return outermost / plan.chunk % team.size;
  return block_owner(plan.count, team.size, outermost);
}

uint64_t flatten(const Doacross& doacross, const uint64_t* vector) {
  uint64_t number = 0;
  for (unsigned i = 0; i < doacross.dimensions; i++) number += vector[i] * doacross.strides[i];
  return number;
}

// Has the lane reached the vector?
bool reached(Doacross& doacross, WideLane& lane, const uint64_t* vector) {
  SpinGuard guard(lane.lock);
  if (!lane.posted) return false;
  for (unsigned i = 0; i < doacross.dimensions; i++) {
    if (lane.vector()[i] != vector[i]) return lane.vector()[i] > vector[i];
  }
  return true;
}

void post_wide(Doacross& doacross, WideLane& lane, const WaitKey& key, const uint64_t* vector) {
  happens_before(&lane);
  {
    SpinGuard guard(lane.lock);
    lane.posted = true;
    for (unsigned i = 0; i < doacross.dimensions; i++) lane.vector()[i] = vector[i];
  }
  wake_all(key);
}

void wait_wide(Thread& thread, Doacross& doacross, WideLane& lane, const WaitKey& key,
               const uint64_t* vector) {
  const Team& team = *thread.member->team;
  auto not_yet = [&] { return !reached(doacross, lane, vector) && !team.cancelled.load(relaxed); };
  wait_while(thread, key, not_yet);
  happens_after(&lane);
}

}  // namespace

Doacross* make_doacross(const Team& team, const LoopPlan& plan, unsigned dimensions,
                        const uint64_t* counts) {
  if (team.serial()) return nullptr;
  for (unsigned i = 0; i < dimensions; i++) {
    if (counts[i] == 0) return nullptr;
  }
  Doacross made;
  made.dimensions = dimensions;
  uint64_t lanes = team.size;
  if (plan.handout == Handout::Counter || plan.handout == Handout::Guided) {
    made.lane_unit = plan.handout == Handout::Counter ? plan.chunk : 1;
    lanes = chunks_in(counts[0], made.lane_unit);
  }
  size_t head = round_up(sizeof(Doacross) + dimensions * sizeof(uint64_t), kCacheLine);
  size_t vector_bytes = dimensions * sizeof(uint64_t);
  size_t wide_bytes = round_up(sizeof(WideLane) + vector_bytes, kCacheLine);
  uint64_t weights[64];
  bool flat = dimensions <= 64 && compute_strides(dimensions, counts, weights);
  made.flat = flat;
  made.lane_bytes = flat ? flat_lane_bytes(lanes) : wide_bytes;
  size_t bytes;
  char* block = nullptr;
  if (!__builtin_mul_overflow(lanes, made.lane_bytes, &bytes) &&
      !__builtin_add_overflow(bytes, head + kCacheLine, &bytes)) {
    // Zero means: nothing posted, locks free. Pages that no thread posts to are never touched.
    block = static_cast<char*>(calloc(1, bytes));
  }
  if (block == nullptr) fatal("out of memory for the dependences of an ordered loop");
  auto* doacross = new (block) Doacross(made);
  doacross->strides = reinterpret_cast<uint64_t*>(block + sizeof(Doacross));
  for (unsigned i = 0; flat && i < dimensions; i++) doacross->strides[i] = weights[i];
  doacross->lanes = static_cast<char*>(align_up(block + head, kCacheLine));
  return doacross;
}

void enter_doacross_loop(Thread& thread, unsigned dimensions, const uint64_t* counts,
                         const LoopSchedule& schedule, const ShareExtras& extras) {
  thread.member->position.enter_loop();
  Team& team = *thread.member->team;
  LoopBounds bounds = LoopBounds::of(true, 0, counts[0], 1);
  enter_share_with(thread, extras, [&](WorkShare& share) {
    set_up_loop(share, make_plan(bounds, schedule, LoopOrder::Doacross, team.size));
    share.doacross = make_doacross(team, share.plan, dimensions, counts);
  });
  tell_entered(thread);
}

void doacross_post(Thread& thread, const uint64_t* vector) {
  WorkShare& share = *thread.member->position.current;
  Doacross& doacross = *share.doacross;
  if (tool::watched) [[unlikely]]
    tell_doacross(thread, ompt_dependence_type_source, vector, doacross.dimensions);
  uint64_t number = lane_of(doacross, share, *thread.member->team, vector[0]);
  if (!doacross.flat) {
    auto* lane = reinterpret_cast<WideLane*>(doacross.lanes + number * doacross.lane_bytes);
    return post_wide(doacross, *lane, {&share, number}, vector);
  }
  Atomic<uint64_t>& lane = doacross.flat_lane(number);
  uint64_t posted = flatten(doacross, vector) + 1;
  if (lane.load(relaxed) == posted) return;
  happens_before(&lane);
  lane.store(posted, release);
  wake_up_to({&share, number, posted});
}

void doacross_wait(Thread& thread, const uint64_t* vector) {
  WorkShare& share = *thread.member->position.current;
  Doacross& doacross = *share.doacross;
  if (tool::watched) [[unlikely]]
    tell_doacross(thread, ompt_dependence_type_sink, vector, doacross.dimensions);
  const Team& team = *thread.member->team;
  uint64_t number = lane_of(doacross, share, team, vector[0]);
  if (!doacross.flat) {
    auto* lane = reinterpret_cast<WideLane*>(doacross.lanes + number * doacross.lane_bytes);
    return wait_wide(thread, doacross, *lane, {&share, number}, vector);
  }
  Atomic<uint64_t>& lane = doacross.flat_lane(number);
  uint64_t wanted = flatten(doacross, vector) + 1;
  auto not_yet = [&] { return lane.load(acquire) < wanted && !team.cancelled.load(relaxed); };
  wait_while(thread, {&share, number, wanted}, not_yet);
  happens_after(&lane);
}

}  // namespace bobbin
