// SPDX-License-Identifier: Apache-2.0
#include "construct/worksharing/loop_nest.h"

namespace bobbin {
namespace {

bool is_signed(LoopType type) { return static_cast<int32_t>(type) % 2 == 1; }

uint64_t extended(LoopType type, uint64_t value) {
  unsigned unused = 64 - (8U << (static_cast<uint32_t>(type) / 2));
  uint64_t high = value << unused;
  return is_signed(type) ? static_cast<uint64_t>(static_cast<int64_t>(high) >> unused)
                         : high >> unused;
}

int64_t step_of(const NestedLoop& loop) {
  bool wide = loop.type == LoopType::Uint64 || loop.type == LoopType::Int64;
  return wide ? loop.step : static_cast<int32_t>(loop.step);
}

bool depends_on(const NestedLoop& loop, int32_t outer) {
  return loop.outer == outer && (extended(loop.type, loop.lower_factor) != 0 ||
                                 extended(loop.type, loop.upper_factor) != 0);
}

uint64_t outer_variable(const NestedLoop& loop, const uint64_t* point) {
  return depends_on(loop, loop.outer) ? point[loop.outer] : 0;
}

bool is_closed(const NestedLoop& loop) {
  return loop.test == LoopTest::AtMost || loop.test == LoopTest::AtLeast;
}

uint64_t last_before(const NestedLoop& loop, uint64_t upper) {
  return extended(loop.type, upper + (step_of(loop) > 0 ? ~uint64_t{0} : 1));
}

// `T` is the loop's type, extended to 64 bits.
template <class T>
LoopBounds bounds_between(const NestedLoop& loop, T lower, T upper) {
  int64_t step = step_of(loop);
  if (is_closed(loop)) return LoopBounds::inclusive(lower, upper, step);
  // The number before 0 is the largest unsigned number.
  bool none = step > 0 ? lower >= upper : lower <= upper;
  if (loop.test == LoopTest::NotEqual) none = lower == upper;
  auto last = static_cast<T>(last_before(loop, static_cast<uint64_t>(upper)));
  LoopBounds bounds = LoopBounds::inclusive(lower, last, step);
  bounds.empty = bounds.empty || none;
  return bounds;
}

// The bounds of the loop when the variable that it depends on is `outer`.
LoopBounds bounds_at(const NestedLoop& loop, uint64_t outer) {
  uint64_t lower = extended(loop.type, loop.lower + loop.lower_factor * outer);
  uint64_t upper = extended(loop.type, loop.upper + loop.upper_factor * outer);
  if (!is_signed(loop.type)) return bounds_between(loop, lower, upper);
  return bounds_between(loop, static_cast<int64_t>(lower), static_cast<int64_t>(upper));
}

uint64_t variable_at(const NestedLoop& loop, uint64_t outer, uint64_t iteration) {
  return extended(loop.variable_type, loop.lower + loop.lower_factor * outer +
                                          iteration * static_cast<uint64_t>(step_of(loop)));
}

}  // namespace

bool LoopNest::others_depend_on(int32_t level) const {
  for (int32_t inner = level + 1; inner < depth_; inner++) {
    if (depends_on(loops_[inner], level)) return true;
  }
  return false;
}

uint64_t LoopNest::count_from(int32_t level, uint64_t* point) const {
  if (level == depth_) return 1;
  const NestedLoop& loop = loops_[level];
  uint64_t outer = outer_variable(loop, point);
  uint64_t own = bounds_at(loop, outer).count();
  if (!others_depend_on(level)) return own == 0 ? 0 : own * count_from(level + 1, point);
  uint64_t total = 0;
  for (uint64_t i = 0; i < own; i++) {
    point[level] = variable_at(loop, outer, i);
    total += count_from(level + 1, point);
  }
  return total;
}

void LoopNest::find(uint64_t iteration, uint64_t* point) const {
  for (int32_t level = 0; level < depth_; level++) {
    const NestedLoop& loop = loops_[level];
    uint64_t outer = outer_variable(loop, point);
    if (others_depend_on(level)) {
      for (uint64_t i = 0;; i++) {
        point[level] = variable_at(loop, outer, i);
        uint64_t inner = count_from(level + 1, point);
        if (iteration < inner) break;
        iteration -= inner;
      }
    } else {
      uint64_t inner = count_from(level + 1, point);
      if (inner == 0) return;  // the nest has no iterations
      point[level] = variable_at(loop, outer, iteration / inner);
      iteration %= inner;
    }
  }
}

void close_bounds(NestedLoop* loops, int32_t depth) {
  for (int32_t level = 0; level < depth; level++) {
    NestedLoop& loop = loops[level];
    if (!is_closed(loop)) loop.upper = last_before(loop, loop.upper);
    loop.test = step_of(loop) > 0 ? LoopTest::AtMost : LoopTest::AtLeast;
  }
}

uint64_t count_rectangle(NestedLoop* loops, int32_t depth) {
  uint64_t total = 1;
  for (int32_t level = 0; level < depth; level++) {
    loops[level].count = bounds_at(loops[level], 0).count();
    total *= loops[level].count;
  }
  return total;
}

void find_in_rectangle(const NestedLoop* loops, int32_t depth, uint64_t iteration,
                       uint64_t* point) {
  for (int32_t level = depth; level-- > 0;) {
    point[level] = iteration % loops[level].count;
    iteration /= loops[level].count;
  }
  for (int32_t level = 0; level < depth; level++) {
    const NestedLoop& loop = loops[level];
    point[level] = variable_at(loop, outer_variable(loop, point), point[level]);
  }
}

}  // namespace bobbin
