// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "abi/export.h"
#include "abi/kmp/atomics/atomic_operations.h"
#include "abi/kmp/ident.h"

// The names of the atomic entry points: __kmpc_atomic_TYPE_OPERATION, some of which have two
// operands of different types, and
//
//   ..._rev   variable = operand OPERATION variable
//   ..._cpt   returns the variable's value: after the operation if `after`, else before it
//
// Op is one of the structs in atomic_operations.h.

// NOLINTBEGIN(bugprone-macro-parentheses): the arguments are types.
#define BOBBIN_ATOMIC_UPDATE(type, T, name, Op)                                                    \
  BOBBIN_ENTRY void __kmpc_atomic_##type##_##name(const Ident*, int32_t, T* variable, T operand) { \
    update<Op>(variable, operand);                                                                 \
  }

#define BOBBIN_ATOMIC_CAPTURE(type, T, name, Op)                                              \
  BOBBIN_ENTRY T __kmpc_atomic_##type##_##name(const Ident*, int32_t, T* variable, T operand, \
                                               int32_t after) {                               \
    auto updated = update<Op>(variable, operand);                                             \
    return after != 0 ? updated.after : updated.before;                                       \
  }

// Complex numbers of 8 bytes are returned through a pointer.
#define BOBBIN_ATOMIC_CAPTURE_OUT(type, T, name, Op)                                             \
  BOBBIN_ENTRY void __kmpc_atomic_##type##_##name(const Ident*, int32_t, T* variable, T operand, \
                                                  T* captured, int32_t after) {                  \
    auto updated = update<Op>(variable, operand);                                                \
    *captured = after != 0 ? updated.after : updated.before;                                     \
  }

#define BOBBIN_ATOMIC_BOTH(type, T, name, Op) \
  BOBBIN_ATOMIC_UPDATE(type, T, name, Op)     \
  BOBBIN_ATOMIC_CAPTURE(type, T, name##_cpt, Op)

#define BOBBIN_ATOMIC_REVERSED(type, T, name, Op)         \
  BOBBIN_ATOMIC_UPDATE(type, T, name##_rev, Reversed<Op>) \
  BOBBIN_ATOMIC_CAPTURE(type, T, name##_cpt_rev, Reversed<Op>)

// The variable has type T. The operand has the wider type U, in which the operation is done.
#define BOBBIN_ATOMIC_MIXED(type, T, name, U, Op)                                                  \
  BOBBIN_ENTRY void __kmpc_atomic_##type##_##name(const Ident*, int32_t, T* variable, U operand) { \
    update<Op>(variable, operand);                                                                 \
  }

// Captures, too. ..._fp comes after all other parts of the name.
#define BOBBIN_ATOMIC_MIXED_BOTH(type, T, operation, reversed, U, Op)     \
  BOBBIN_ATOMIC_MIXED(type, T, operation##reversed##_fp, U, Op)           \
  BOBBIN_ENTRY T __kmpc_atomic_##type##_##operation##_cpt##reversed##_fp( \
      const Ident*, int32_t, T* variable, U operand, int32_t after) {     \
    auto updated = update<Op>(variable, operand);                         \
    return after != 0 ? updated.after : updated.before;                   \
  }

#define BOBBIN_ATOMIC_READ(type, T)                                              \
  BOBBIN_ENTRY T __kmpc_atomic_##type##_rd(const Ident*, int32_t, T* variable) { \
    return atomic_read(variable);                                                \
  }

#define BOBBIN_ATOMIC_WRITE(type, T)                                                         \
  BOBBIN_ENTRY void __kmpc_atomic_##type##_wr(const Ident*, int32_t, T* variable, T value) { \
    atomic_write(variable, value);                                                           \
  }

#define BOBBIN_ATOMIC_EXCHANGE(type, T)                                                    \
  BOBBIN_ENTRY T __kmpc_atomic_##type##_swp(const Ident*, int32_t, T* variable, T value) { \
    return atomic_write(variable, value);                                                  \
  }
// NOLINTEND(bugprone-macro-parentheses)
