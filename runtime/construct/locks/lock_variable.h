// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "construct/locks/lock.h"
#include "platform/diagnostics.h"
#include "platform/memory.h"

// A program's variable for a nestable lock. It has at least the size of an address, and no more is
// certain.
namespace bobbin {

inline void init_lock_variable(NestLock*& variable) {
  variable = make<NestLock>();
  if (variable == nullptr) fatal("out of memory for a lock");
}

// The program's lock. It is made now if the variable is zero. A variable that was never initialised
// is zero, and libgomp accepts that, because zero is an unlocked lock there.
inline NestLock& lock_of(NestLock*& variable) {
  auto& shared = reinterpret_cast<Atomic<NestLock*>&>(variable);
  NestLock* lock = shared.load(acquire);
  if (lock != nullptr) [[likely]]
    return *lock;
  NestLock* made = nullptr;
  init_lock_variable(made);
  if (shared.compare_exchange_strong(lock, made, acq_rel, acquire)) return *made;
  destroy(made);
  return *lock;
}

inline void destroy_lock_variable(NestLock*& variable) {
  destroy(variable);
  variable = nullptr;
}

}  // namespace bobbin
