// SPDX-License-Identifier: Apache-2.0
// Atomic operations on real and complex numbers.
#include "abi/kmp/atomics/atomic_entries.h"

using namespace bobbin;
using namespace bobbin::kmp;

#define BOBBIN_ATOMIC_FLOAT(type, T)             \
  BOBBIN_ATOMIC_BOTH(type, T, add, Add)          \
  BOBBIN_ATOMIC_BOTH(type, T, sub, Subtract)     \
  BOBBIN_ATOMIC_BOTH(type, T, mul, Multiply)     \
  BOBBIN_ATOMIC_BOTH(type, T, div, Divide)       \
  BOBBIN_ATOMIC_BOTH(type, T, min, Min)          \
  BOBBIN_ATOMIC_BOTH(type, T, max, Max)          \
  BOBBIN_ATOMIC_REVERSED(type, T, sub, Subtract) \
  BOBBIN_ATOMIC_REVERSED(type, T, div, Divide)   \
  BOBBIN_ATOMIC_READ(type, T)                    \
  BOBBIN_ATOMIC_WRITE(type, T)                   \
  BOBBIN_ATOMIC_EXCHANGE(type, T)

#define BOBBIN_ATOMIC_COMPLEX(type, T)                       \
  BOBBIN_ATOMIC_UPDATE(type, T, add, Add)                    \
  BOBBIN_ATOMIC_UPDATE(type, T, sub, Subtract)               \
  BOBBIN_ATOMIC_UPDATE(type, T, mul, Multiply)               \
  BOBBIN_ATOMIC_UPDATE(type, T, div, Divide)                 \
  BOBBIN_ATOMIC_UPDATE(type, T, sub_rev, Reversed<Subtract>) \
  BOBBIN_ATOMIC_UPDATE(type, T, div_rev, Reversed<Divide>)   \
  BOBBIN_ATOMIC_READ(type, T)                                \
  BOBBIN_ATOMIC_WRITE(type, T)

#define BOBBIN_ATOMIC_COMPLEX_CAPTURE(CAPTURE, type, T) \
  CAPTURE(type, T, add_cpt, Add)                        \
  CAPTURE(type, T, sub_cpt, Subtract)                   \
  CAPTURE(type, T, mul_cpt, Multiply)                   \
  CAPTURE(type, T, div_cpt, Divide)                     \
  CAPTURE(type, T, sub_cpt_rev, Reversed<Subtract>)     \
  CAPTURE(type, T, div_cpt_rev, Reversed<Divide>)

BOBBIN_ATOMIC_FLOAT(float4, float)
BOBBIN_ATOMIC_FLOAT(float8, double)
BOBBIN_ATOMIC_FLOAT(float10, long double)
BOBBIN_ATOMIC_MIXED(float4, float, add_float8, double, Add)
BOBBIN_ATOMIC_MIXED(float4, float, sub_float8, double, Subtract)
BOBBIN_ATOMIC_MIXED(float4, float, mul_float8, double, Multiply)
BOBBIN_ATOMIC_MIXED(float4, float, div_float8, double, Divide)

BOBBIN_ATOMIC_COMPLEX(cmplx4, Complex4)
BOBBIN_ATOMIC_COMPLEX(cmplx8, Complex8)
BOBBIN_ATOMIC_COMPLEX(cmplx10, Complex10)
BOBBIN_ATOMIC_COMPLEX_CAPTURE(BOBBIN_ATOMIC_CAPTURE_OUT, cmplx4, Complex4)
BOBBIN_ATOMIC_COMPLEX_CAPTURE(BOBBIN_ATOMIC_CAPTURE, cmplx8, Complex8)
BOBBIN_ATOMIC_COMPLEX_CAPTURE(BOBBIN_ATOMIC_CAPTURE, cmplx10, Complex10)
BOBBIN_ATOMIC_EXCHANGE(cmplx8, Complex8)
BOBBIN_ATOMIC_EXCHANGE(cmplx10, Complex10)
BOBBIN_ATOMIC_MIXED(cmplx4, Complex4, add_cmplx8, Complex8, Add)
BOBBIN_ATOMIC_MIXED(cmplx4, Complex4, sub_cmplx8, Complex8, Subtract)
BOBBIN_ATOMIC_MIXED(cmplx4, Complex4, mul_cmplx8, Complex8, Multiply)
BOBBIN_ATOMIC_MIXED(cmplx4, Complex4, div_cmplx8, Complex8, Divide)

BOBBIN_ENTRY void __kmpc_atomic_cmplx4_swp(const Ident*, int32_t, Complex4* variable,
                                           Complex4 value, Complex4* captured) {
  *captured = atomic_write(variable, value);
}

#ifdef __SIZEOF_FLOAT128__
BOBBIN_ATOMIC_FLOAT(float16, Float16)
BOBBIN_ATOMIC_COMPLEX(cmplx16, Complex16)
BOBBIN_ATOMIC_COMPLEX_CAPTURE(BOBBIN_ATOMIC_CAPTURE, cmplx16, Complex16)
BOBBIN_ATOMIC_EXCHANGE(cmplx16, Complex16)
#endif
