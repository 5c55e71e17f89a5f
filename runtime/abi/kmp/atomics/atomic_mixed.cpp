// SPDX-License-Identifier: Apache-2.0
// Atomic operations whose operand is a number of 128 bits, whatever the variable is. Intel's
// compilers call them, LLVM's do not.
#include "abi/kmp/atomics/atomic_entries.h"

#ifdef __SIZEOF_FLOAT128__

using namespace bobbin;
using namespace bobbin::kmp;

#define BOBBIN_ATOMIC_WITH_FLOAT16(type, T)                                 \
  BOBBIN_ATOMIC_MIXED_BOTH(type, T, add, , Float16, Add)                    \
  BOBBIN_ATOMIC_MIXED_BOTH(type, T, sub, , Float16, Subtract)               \
  BOBBIN_ATOMIC_MIXED_BOTH(type, T, mul, , Float16, Multiply)               \
  BOBBIN_ATOMIC_MIXED_BOTH(type, T, div, , Float16, Divide)                 \
  BOBBIN_ATOMIC_MIXED_BOTH(type, T, sub, _rev, Float16, Reversed<Subtract>) \
  BOBBIN_ATOMIC_MIXED_BOTH(type, T, div, _rev, Float16, Reversed<Divide>)

BOBBIN_ATOMIC_WITH_FLOAT16(fixed1, int8_t)
BOBBIN_ATOMIC_WITH_FLOAT16(fixed1u, uint8_t)
BOBBIN_ATOMIC_WITH_FLOAT16(fixed2, int16_t)
BOBBIN_ATOMIC_WITH_FLOAT16(fixed2u, uint16_t)
BOBBIN_ATOMIC_WITH_FLOAT16(fixed4, int32_t)
BOBBIN_ATOMIC_WITH_FLOAT16(fixed4u, uint32_t)
BOBBIN_ATOMIC_WITH_FLOAT16(fixed8, int64_t)
BOBBIN_ATOMIC_WITH_FLOAT16(fixed8u, uint64_t)
BOBBIN_ATOMIC_WITH_FLOAT16(float4, float)
BOBBIN_ATOMIC_WITH_FLOAT16(float8, double)
BOBBIN_ATOMIC_WITH_FLOAT16(float10, long double)

#endif
