// SPDX-License-Identifier: Apache-2.0
// Atomic operations that the program supplies, and compare-and-swap.
#include "abi/export.h"
#include "abi/kmp/ident.h"
#include "construct/locks/atomic.h"

using namespace bobbin;
using namespace bobbin::kmp;

namespace {

// result = variable OPERATION operand
using Operation = void (*)(void* result, void* variable, void* operand);

template <class T>
void apply(void* variable, void* operand, Operation operation) {
  atomic_update(static_cast<T*>(variable), [&](T value) {
    T result;
    operation(&result, &value, operand);
    return result;
  });
}

void apply_locked(void* variable, void* operand, Operation operation) {
  atomic_fallback.lock();
  operation(variable, variable, operand);
  atomic_fallback.unlock();
}

}  // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): the arguments are types.
#define BOBBIN_ATOMIC_GENERIC(bytes, apply)                                                     \
  BOBBIN_ENTRY void __kmpc_atomic_##bytes(const Ident*, int32_t, void* variable, void* operand, \
                                          Operation operation) {                                \
    apply(variable, operand, operation);                                                        \
  }

BOBBIN_ATOMIC_GENERIC(1, apply<uint8_t>)
BOBBIN_ATOMIC_GENERIC(2, apply<uint16_t>)
BOBBIN_ATOMIC_GENERIC(4, apply<uint32_t>)
BOBBIN_ATOMIC_GENERIC(8, apply<uint64_t>)
BOBBIN_ATOMIC_GENERIC(10, apply_locked)
BOBBIN_ATOMIC_GENERIC(16, apply_locked)
BOBBIN_ATOMIC_GENERIC(20, apply_locked)
BOBBIN_ATOMIC_GENERIC(32, apply_locked)

BOBBIN_ENTRY void __kmpc_atomic_start() { atomic_fallback.lock(); }
BOBBIN_ENTRY void __kmpc_atomic_end() { atomic_fallback.unlock(); }

// atomic compare. ..._cpt: captures the old value if it was not as expected. With "val" it also
// captures the new value if it was.
#define BOBBIN_ATOMIC_COMPARE(bytes, T)                                                          \
  BOBBIN_ENTRY bool __kmpc_atomic_bool_##bytes##_cas(const Ident*, int32_t, T* variable,         \
                                                     T expected, T desired) {                    \
    return atomic_compare(variable, expected, desired) == expected;                              \
  }                                                                                              \
  BOBBIN_ENTRY T __kmpc_atomic_val_##bytes##_cas(const Ident*, int32_t, T* variable, T expected, \
                                                 T desired) {                                    \
    return atomic_compare(variable, expected, desired);                                          \
  }                                                                                              \
  BOBBIN_ENTRY bool __kmpc_atomic_bool_##bytes##_cas_cpt(const Ident*, int32_t, T* variable,     \
                                                         T expected, T desired, T* captured) {   \
    T before = atomic_compare(variable, expected, desired);                                      \
    if (before != expected) *captured = before;                                                  \
    return before == expected;                                                                   \
  }                                                                                              \
  BOBBIN_ENTRY T __kmpc_atomic_val_##bytes##_cas_cpt(const Ident*, int32_t, T* variable,         \
                                                     T expected, T desired, T* captured) {       \
    T before = atomic_compare(variable, expected, desired);                                      \
    *captured = before == expected ? desired : before;                                           \
    return before;                                                                               \
  }

BOBBIN_ATOMIC_COMPARE(1, int8_t)
BOBBIN_ATOMIC_COMPARE(2, int16_t)
BOBBIN_ATOMIC_COMPARE(4, int32_t)
BOBBIN_ATOMIC_COMPARE(8, int64_t)
// NOLINTEND(bugprone-macro-parentheses)
