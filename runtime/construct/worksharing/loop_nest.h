// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "construct/worksharing/iteration_space.h"

// Collapsed loops that the runtime counts and divides (section 4.4.4). They need not be
// rectangular: the bounds of a loop may be linear in the variable of one loop around it.
namespace bobbin {

// Integers of 8 to 64 bits. Even numbers are the unsigned types.
enum class LoopType : int32_t { Uint8, Int8, Uint16, Int16, Uint32, Int32, Uint64, Int64 };

enum class LoopTest : int32_t { AtMost, AtLeast, NotEqual, Less, Greater };

// From lower + lower_factor * v to upper + upper_factor * v, where v is the variable of the loop
// `outer`. Laid out like LLVM's bounds_info_t. Numbers have the type `type` and lie in the first
// bytes of their 64 bits. The remaining bytes have no meaning.
struct NestedLoop {
  LoopType type;
  LoopType variable_type;
  LoopTest test;
  int32_t outer;
  uint64_t lower;
  uint64_t lower_factor;
  uint64_t upper;
  uint64_t upper_factor;
  int64_t step;
  uint64_t count;  // iterations of a loop that depends on no other
};
static_assert(sizeof(NestedLoop) == 64);

// A nest of `depth` loops, the outermost first. A point is the values of their variables, each
// extended to 64 bits.
class LoopNest {
 public:
  LoopNest(const NestedLoop* loops, int32_t depth) : loops_(loops), depth_(depth) {}

  // The number of iterations of all loops together, exactly. `scratch` is room for a point. The
  // cost is a step for each iteration of the loops on which others depend.
  uint64_t count(uint64_t* scratch) const { return count_from(0, scratch); }
  // The point of an iteration, numbered in the order in which the loops execute.
  void find(uint64_t iteration, uint64_t* point) const;

 private:
  uint64_t count_from(int32_t level, uint64_t* point) const;
  bool others_depend_on(int32_t level) const;

  const NestedLoop* loops_;
  int32_t depth_;
};

// Makes the bounds inclusive, for the program. To be called after the loops have been counted,
// because an unsigned bound of 0 wraps around.
void close_bounds(NestedLoop* loops, int32_t depth);

// For loops that do not depend on each other. The first counts each loop and returns the product.
// The second, called after it, finds the point of an iteration.
uint64_t count_rectangle(NestedLoop* loops, int32_t depth);
void find_in_rectangle(const NestedLoop* loops, int32_t depth, uint64_t iteration, uint64_t* point);

}  // namespace bobbin
