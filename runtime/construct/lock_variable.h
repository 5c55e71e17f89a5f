// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "construct/lock.h"
#include "platform/diagnostics.h"
#include "platform/memory.h"

// Nestable locks for programs whose variable for one holds no more than an address: Fortran's, and
// those for LLVM's ABI.
namespace bobbin {

inline void init_lock_variable(NestLock*& variable) {
  variable = make<NestLock>();
  if (variable == nullptr) fatal("out of memory for a lock");
}

inline void destroy_lock_variable(NestLock*& variable) {
  destroy(variable);
  variable = nullptr;
}

}  // namespace bobbin
