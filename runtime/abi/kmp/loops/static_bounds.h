// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "abi/kmp/loops/schedule.h"
#include "construct/worksharing/iteration_space.h"
#include "construct/worksharing/static_part.h"
#include "platform/diagnostics.h"
#include "team/model/team.h"

// Static loops in the form of LLVM's compilers: the bounds, in the loop variable's type, are
// changed in place to the part that the calling thread executes first.
namespace bobbin::kmp {

template <class T>
struct StaticLoop {
  T lower;
  T upper;  // inclusive
  std::make_signed_t<T> stride;
  bool last;
};

// The part of iterations that a schedule gives to number `num` of `size`.
inline StaticPart part_of(uint64_t count, int32_t schedule, int64_t chunk, unsigned size,
                          unsigned num) {
  if (size == 1) return block_part(count, 1, 0);
  auto iterations = static_cast<uint64_t>(chunk > 0 ? chunk : 1);
  switch (schedule) {
    case kStaticChunked:
    case kOrderedStaticChunked:
    case kDistributeStaticChunked:
      return cyclic_part(count, iterations, size, num);
    case kStaticBalancedChunked:
      return rounded_block_part(count, iterations, size, num);
    default:
      return block_part(count, size, num);
  }
}

// Gives the loop the bounds of a part of it. Compilers add the stride to them until the lower bound
// is beyond the loop. After a thread's only chunk it is beyond by one. Further beyond, the loop
// variable's type might end, and bounds that wrap around are before the loop or inside it.
// Compilers count from 0 to less than the type's largest number, so one more fits. (A thread with
// several chunks whose next chunk would be beyond that number cannot be helped: one stride serves
// for all of them.)
template <class T>
void set_bounds(StaticLoop<T>& loop, const StaticPart& part, std::make_signed_t<T> step) {
  using Signed = std::make_signed_t<T>;
  auto base = static_cast<uint64_t>(loop.lower);
  auto by = static_cast<uint64_t>(static_cast<int64_t>(step));
  uint64_t beyond = static_cast<uint64_t>(loop.upper) + (step > 0 ? 1 : ~uint64_t{0});
  loop.last = part.last;
  if (part.range.first == part.range.last) {
    loop.lower = static_cast<T>(beyond);
    loop.stride = step;
    return;
  }
  uint64_t lower = base + part.range.first * by;
  loop.lower = static_cast<T>(lower);
  loop.upper = static_cast<T>(base + (part.range.last - 1) * by);
  loop.stride = static_cast<Signed>(part.stride == 0 ? beyond - lower : part.stride * by);
}

// flang, and clang where it collapses loops, ask in an unsigned type for 0 to the number of
// iterations less one. So a loop without iterations goes up to the type's largest number. LLVM's
// compilers never use the type for a loop that really has that many iterations.
template <class T>
bool counted_below_zero(T lower, T upper, std::make_signed_t<T> step) {
  return std::is_unsigned_v<T> && step == 1 && lower == 0 && static_cast<T>(~upper) == 0;
}

// The part of the loop that the calling thread, number `num` of `size`, executes.
template <class T>
void divide(StaticLoop<T>& loop, int32_t schedule, std::make_signed_t<T> step,
            std::make_signed_t<T> chunk, unsigned size, unsigned num) {
  if (counted_below_zero(loop.lower, loop.upper, step)) {
    // These bounds mean no iterations to clang, which runs from lower while it is not above upper,
    // and to flang, which runs upper - lower + 1 times.
    loop = {.lower = 1, .upper = 0, .stride = step, .last = false};
    return;
  }
  LoopBounds bounds = LoopBounds::inclusive(loop.lower, loop.upper, step);
  if (bounds.empty) {
    loop.last = false;
    loop.stride = step;
    return;
  }
  uint64_t count = bounds.count();
  if (count == 0) fatal("a loop with 2^64 iterations");
  set_bounds(loop, part_of(count, schedule, chunk, size, num), step);
}

// The part of the loop that the team, one of a league, executes.
template <class T>
void distribute(StaticLoop<T>& loop, std::make_signed_t<T> step, const Team& team) {
  divide<T>(loop, kDistributeStatic, step, 0, team.num_teams, team.team_num);
}

}  // namespace bobbin::kmp
