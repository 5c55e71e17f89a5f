// SPDX-License-Identifier: Apache-2.0
#include "construct/worksharing/doacross_bits.h"

#include <cstdlib>

#include "construct/tool_events.h"
#include "construct/workshare.h"
#include "construct/worksharing/iteration_space.h"
#include "platform/diagnostics.h"
#include "platform/watchers/happens_before.h"

namespace bobbin {
namespace {

struct Dimension {
  int64_t lower;
  int64_t step;
  uint64_t count;
};

// The head of the block. The dimensions follow, then the bits.
struct Nest {
  unsigned dimensions;
  Atomic<uint32_t>* bits;

  Dimension* loops() { return reinterpret_cast<Dimension*>(this + 1); }
};

constexpr unsigned kWordBits = 32;

uint64_t count_of(const DoacrossDimension& loop) {
  return LoopBounds::inclusive<int64_t>(loop.lower, loop.upper, loop.step).count();
}

Nest* make_nest(unsigned dimensions, const DoacrossDimension* loops) {
  uint64_t iterations = 1;
  bool fits = true;
  for (unsigned i = 0; i < dimensions; i++) {
    if (__builtin_mul_overflow(iterations, count_of(loops[i]), &iterations)) fits = false;
  }
  size_t head = sizeof(Nest) + dimensions * sizeof(Dimension);
  // Zero means: nothing posted. Pages that no thread posts to are never touched.
  void* block = fits ? calloc(1, head + (iterations / kWordBits + 1) * sizeof(uint32_t)) : nullptr;
  if (block == nullptr) fatal("out of memory for the dependences of an ordered loop");
  auto* nest = static_cast<Nest*>(block);
  nest->dimensions = dimensions;
  nest->bits = reinterpret_cast<Atomic<uint32_t>*>(static_cast<char*>(block) + head);
  for (unsigned i = 0; i < dimensions; i++) {
    nest->loops()[i] = {loops[i].lower, loops[i].step, count_of(loops[i])};
  }
  return nest;
}

Nest* nest_of(const Thread& thread) {
  const WorkShare* share = thread.member->position.doacross;
  return share != nullptr ? static_cast<Nest*>(share->memory) : nullptr;
}

// False: there is no such iteration.
bool number_of(Nest& nest, const int64_t* values, uint64_t& number) {
  number = 0;
  for (unsigned i = 0; i < nest.dimensions; i++) {
    const Dimension& loop = nest.loops()[i];
    if (loop.step > 0 ? values[i] < loop.lower : values[i] > loop.lower) return false;
    uint64_t distance = static_cast<uint64_t>(values[i]) - static_cast<uint64_t>(loop.lower);
    uint64_t index = loop.step > 0 ? distance / static_cast<uint64_t>(loop.step)
                                   : (0 - distance) / (0 - static_cast<uint64_t>(loop.step));
    if (index >= loop.count) return false;
    number = number * loop.count + index;
  }
  return true;
}

// The key has the share's address, so that the thread that cancels the region finds the waiters.
WaitKey key_of(const Thread& thread, uint64_t number) {
  return {.address = thread.member->position.doacross, .part = number};
}

const uint64_t* as_vector(const int64_t* values) {
  return reinterpret_cast<const uint64_t*>(values);
}

}  // namespace

void enter_doacross(Thread& thread, unsigned dimensions, const DoacrossDimension* nest) {
  if (thread.member->team->serial()) return;
  enter_share(thread, [&](WorkShare& share) { share.memory = make_nest(dimensions, nest); });
  WorkSharePosition& position = thread.member->position;
  position.doacross = keep_share(thread, position.doacross_number);
}

void doacross_post_iteration(Thread& thread, const int64_t* values) {
  Nest* nest = nest_of(thread);
  uint64_t number;
  if (nest == nullptr || !number_of(*nest, values, number)) return;
  if (tool::watched) [[unlikely]]
    tell_doacross(thread, ompt_dependence_type_source, as_vector(values), nest->dimensions);
  Atomic<uint32_t>& word = nest->bits[number / kWordBits];
  happens_before(&word);
  word.fetch_or(1u << number % kWordBits, release);
  wake_all(key_of(thread, number));
}

void doacross_wait_iteration(Thread& thread, const int64_t* values) {
  Nest* nest = nest_of(thread);
  uint64_t number;
  if (nest == nullptr || !number_of(*nest, values, number)) return;
  if (tool::watched) [[unlikely]]
    tell_doacross(thread, ompt_dependence_type_sink, as_vector(values), nest->dimensions);
  const Team& team = *thread.member->team;
  const Atomic<uint32_t>& word = nest->bits[number / kWordBits];
  // The thread that has cancelled the region may have gone to the region's end.
  auto not_yet = [&] {
    return (word.load(acquire) >> number % kWordBits & 1) == 0 && !team.cancelled.load(relaxed);
  };
  wait_while(thread, key_of(thread, number), not_yet);
  happens_after(&word);
}

void leave_doacross(Thread& thread) {
  WorkSharePosition& position = thread.member->position;
  if (position.doacross == nullptr) return;
  leave_kept_share(thread, *position.doacross, position.doacross_number);
  position.doacross = nullptr;
}

}  // namespace bobbin
