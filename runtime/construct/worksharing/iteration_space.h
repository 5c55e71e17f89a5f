// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "platform/memory/blocks.h"
#include "team/model/workshare.h"

// Converts the loop bounds that programs give to iteration numbers. See LoopPlan.
namespace bobbin {

// The iterations from `begin` up to, but not including, `end`. The differences are computed modulo
// 2^64: as unsigned numbers they are right for any bounds that are in the right order.
struct LoopBounds {
  uint64_t begin;
  uint64_t end;
  uint64_t step;  // two's complement if the loop runs down
  bool up;
  bool empty;

  static LoopBounds of(long begin, long end, long step) {
    bool up = step > 0;
    return {static_cast<uint64_t>(begin), static_cast<uint64_t>(end), static_cast<uint64_t>(step),
            up, up ? begin >= end : begin <= end};
  }

  static LoopBounds of(bool up, unsigned long long begin, unsigned long long end,
                       unsigned long long step) {
    return {begin, end, step, up, up ? begin >= end : begin <= end};
  }

  // `last` is one of the iterations, if there are any.
  template <class T>
  static LoopBounds inclusive(T begin, T last, std::make_signed_t<T> step) {
    bool up = step > 0;
    return {static_cast<uint64_t>(begin), static_cast<uint64_t>(last) + (up ? 1 : ~uint64_t{0}),
            static_cast<uint64_t>(static_cast<int64_t>(step)), up,
            up ? last < begin : begin < last};
  }

  // 0 also for 2^64 iterations, which only inclusive bounds can have.
  uint64_t count() const {
    if (empty) return 0;
    if (up && step == 1) return end - begin;  // without a division
    // Neither rounding up nor the number of iterations of any loop overflows this way.
    return up ? (end - begin - 1) / step + 1 : (begin - end - 1) / (0 - step) + 1;
  }
};

inline uint64_t program_begin(const LoopPlan& plan, uint64_t iteration) {
  return plan.begin + iteration * plan.step;
}

// The end of a chunk that the program is told. For the last chunk it is the loop's own end, because
// the next multiple of the step may not exist in the loop variable's type.
inline uint64_t program_end(const LoopPlan& plan, uint64_t iteration) {
  return iteration == plan.count ? plan.end : plan.begin + iteration * plan.step;
}

inline IterationRange chunk_iterations(const LoopPlan& plan, uint64_t chunk) {
  uint64_t first = chunk * plan.chunk;
  return {first, chunk + 1 == plan.chunks ? plan.count : first + plan.chunk};
}

inline uint64_t chunks_in(uint64_t count, uint64_t chunk) {
  return count / chunk + (count % chunk != 0 ? 1 : 0);
}

// The result is at least `count`, unless it overflows.
inline uint64_t next_multiple(uint64_t count, uint64_t vector) {
  return chunks_in(count, vector) * vector;
}

}  // namespace bobbin
