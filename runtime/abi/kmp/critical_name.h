// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "construct/lock.h"

namespace bobbin::kmp {

// kmp_critical_name: what the compiler makes for each name of a critical construct. 32 bytes, zero
// at first.
//
// A section that code of GCC has too, in another object of its own for the same name, is to be
// locked by the same lock. Which one that is, is found out when the section is first met.
class CriticalName {
 public:
  // `lock_of_section` is written once with the same value by whoever comes first; what it points to
  // is as old as the program.
  Lock& section_lock() {
    Lock* lock = lock_of_section_.load(relaxed);
    return lock != nullptr ? *lock : find_lock();
  }

 private:
  Lock& find_lock();

  Atomic<Lock*> lock_of_section_;
  Lock own_;
  [[maybe_unused]] uint32_t unused_[5];
};
static_assert(sizeof(CriticalName) == 32);

}  // namespace bobbin::kmp
