// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "construct/locks/atomic.h"

// The operations of the atomic entry points. Where C++ has no name for one, it has the ABI's name.
namespace bobbin::kmp {

__extension__ typedef __complex__ float Complex4;
__extension__ typedef __complex__ double Complex8;
__extension__ typedef __complex__ long double Complex10;
// Numbers of 128 bits, where the processor's ABI has them beside long double.
#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 Float16;
__extension__ typedef __complex__ float Complex16 [[gnu::mode(TC)]];
#endif

// Signed integers wrap around: their sums are computed in the unsigned type.
template <class T, class F>
T wrapping(T a, T b, F&& operation) {
  if constexpr (std::is_integral_v<T>) {
    // This type is wide enough that even small operands are not promoted to int.
    return static_cast<T>(operation(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
  } else {
    return operation(a, b);
  }
}

struct Add {
  template <class T>
  static T apply(T a, T b) {
    return wrapping(a, b, [](auto x, auto y) { return x + y; });
  }
};
struct Subtract {
  template <class T>
  static T apply(T a, T b) {
    return wrapping(a, b, [](auto x, auto y) { return x - y; });
  }
};
struct Multiply {
  template <class T>
  static T apply(T a, T b) {
    return wrapping(a, b, [](auto x, auto y) { return x * y; });
  }
};
struct Divide {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a / b);
  }
};
struct Min {
  template <class T>
  static T apply(T a, T b) {
    return b < a ? b : a;
  }
};
struct Max {
  template <class T>
  static T apply(T a, T b) {
    return a < b ? b : a;
  }
};
struct BitAnd {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct BitOr {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct BitXor {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct Equivalent {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a ^ ~b);
  }
};
struct LogicalAnd {
  template <class T>
  static T apply(T a, T b) {
    return a != 0 && b != 0 ? 1 : 0;
  }
};
struct LogicalOr {
  template <class T>
  static T apply(T a, T b) {
    return a != 0 || b != 0 ? 1 : 0;
  }
};
struct ShiftLeft {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<uint64_t>(a) << b);
  }
};
struct ShiftRight {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a >> b);
  }
};

template <class Op>
struct Reversed {
  template <class T>
  static T apply(T a, T b) {
    return Op::apply(b, a);
  }
};

// The operation is done in the type of the operand, the wider one.
template <class Op, class T, class U>
Updated<T> update(T* variable, U operand) {
  return atomic_update(
      variable, [&](T value) { return static_cast<T>(Op::apply(static_cast<U>(value), operand)); });
}

}  // namespace bobbin::kmp
