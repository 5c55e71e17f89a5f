// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace bobbin::kmp {

// sched_type. Modifiers are in the bits from 29 on.
enum Schedule : int32_t {
  kStaticChunked = 33,
  kStatic = 34,
  kDynamicChunked = 35,
  kGuidedChunked = 36,
  kRuntime = 37,
  kAuto = 38,
  kTrapezoidal = 39,
  kStaticGreedy = 40,
  kStaticBalanced = 41,
  kGuidedIterative = 42,
  kGuidedAnalytical = 43,
  kStaticSteal = 44,
  kStaticBalancedChunked = 45,
  kGuidedSimd = 46,
  kRuntimeSimd = 47,

  // From here on: 32 more than without an ordered clause.
  kOrderedStaticChunked = 65,
  kOrderedAuto = 70,
  kOrderedTrapezoidal = 71,

  kDistributeStaticChunked = 91,
  kDistributeStatic = 92,

  // From here on: 128 more, for loops whose chunks the runtime may not merge. It never merges any.
  kNoMergeStaticChunked = 161,

  kMonotonic = 1 << 29,
  kNonmonotonic = 1 << 30,
};

inline int32_t without_modifiers(int32_t schedule) {
  int32_t kind = schedule & ~(kMonotonic | kNonmonotonic);
  return kind >= kNoMergeStaticChunked ? kind - 128 : kind;
}

}  // namespace bobbin::kmp
