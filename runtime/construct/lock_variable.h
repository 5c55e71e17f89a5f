// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "construct/lock.h"
#include "platform/diagnostics.h"
#include "platform/memory.h"

// A program's variable for a nestable lock, of which only the size of an address can be relied on.
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
