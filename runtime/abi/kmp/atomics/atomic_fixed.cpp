// SPDX-License-Identifier: Apache-2.0
// Atomic operations on integers.
#include "abi/kmp/atomics/atomic_entries.h"

using namespace bobbin;
using namespace bobbin::kmp;

#define BOBBIN_ATOMIC_FIXED(type, T)                         \
  BOBBIN_ATOMIC_BOTH(type, T, add, Add)                      \
  BOBBIN_ATOMIC_BOTH(type, T, sub, Subtract)                 \
  BOBBIN_ATOMIC_BOTH(type, T, mul, Multiply)                 \
  BOBBIN_ATOMIC_BOTH(type, T, div, Divide)                   \
  BOBBIN_ATOMIC_BOTH(type, T, min, Min)                      \
  BOBBIN_ATOMIC_BOTH(type, T, max, Max)                      \
  BOBBIN_ATOMIC_BOTH(type, T, andb, BitAnd)                  \
  BOBBIN_ATOMIC_BOTH(type, T, orb, BitOr)                    \
  BOBBIN_ATOMIC_BOTH(type, T, xor, BitXor)                   \
  BOBBIN_ATOMIC_BOTH(type, T, neqv, BitXor)                  \
  BOBBIN_ATOMIC_BOTH(type, T, eqv, Equivalent)               \
  BOBBIN_ATOMIC_BOTH(type, T, andl, LogicalAnd)              \
  BOBBIN_ATOMIC_BOTH(type, T, orl, LogicalOr)                \
  BOBBIN_ATOMIC_BOTH(type, T, shl, ShiftLeft)                \
  BOBBIN_ATOMIC_BOTH(type, T, shr, ShiftRight)               \
  BOBBIN_ATOMIC_REVERSED(type, T, sub, Subtract)             \
  BOBBIN_ATOMIC_REVERSED(type, T, div, Divide)               \
  BOBBIN_ATOMIC_REVERSED(type, T, shl, ShiftLeft)            \
  BOBBIN_ATOMIC_REVERSED(type, T, shr, ShiftRight)           \
  BOBBIN_ATOMIC_MIXED(type, T, mul_float8, double, Multiply) \
  BOBBIN_ATOMIC_MIXED(type, T, div_float8, double, Divide)   \
  BOBBIN_ATOMIC_READ(type, T)                                \
  BOBBIN_ATOMIC_WRITE(type, T)                               \
  BOBBIN_ATOMIC_EXCHANGE(type, T)

// The operations that depend on the sign.
#define BOBBIN_ATOMIC_UNSIGNED(type, T)        \
  BOBBIN_ATOMIC_BOTH(type, T, div, Divide)     \
  BOBBIN_ATOMIC_BOTH(type, T, shr, ShiftRight) \
  BOBBIN_ATOMIC_REVERSED(type, T, div, Divide) \
  BOBBIN_ATOMIC_REVERSED(type, T, shr, ShiftRight)

BOBBIN_ATOMIC_FIXED(fixed1, int8_t)
BOBBIN_ATOMIC_FIXED(fixed2, int16_t)
BOBBIN_ATOMIC_FIXED(fixed4, int32_t)
BOBBIN_ATOMIC_FIXED(fixed8, int64_t)
BOBBIN_ATOMIC_UNSIGNED(fixed1u, uint8_t)
BOBBIN_ATOMIC_UNSIGNED(fixed2u, uint16_t)
BOBBIN_ATOMIC_UNSIGNED(fixed4u, uint32_t)
BOBBIN_ATOMIC_UNSIGNED(fixed8u, uint64_t)
