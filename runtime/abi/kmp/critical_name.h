// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "construct/lock.h"
#include "platform/memory.h"

namespace bobbin::kmp {

// kmp_critical_name: what the compiler makes for each name of a critical construct. Eight numbers,
// zero at first, and aligned as such: LLVM's compilers of today give it a pointer's alignment,
// which nothing makes them do.
//
// A section that code of GCC has too is to be locked by the same lock. In objects of LLVM's
// compilers that is in another object for the same name, found when the section is first met.
// Intel's classic compilers name theirs as GCC does, so that the linker makes one of both: it
// begins with the lock.
class CriticalName {
 public:
  // `lock_of_section` is written once with the same value by whoever comes first; what it points to
  // is as old as the program.
  Lock& section_lock() {
    Lock* lock = parts().lock_of_section.load(relaxed);
    return lock != nullptr ? *lock : find_lock();
  }

 private:
  struct Parts {
    Lock own;
    Atomic<Lock*> lock_of_section;
  };

  Parts& parts() { return *static_cast<Parts*>(align_up(numbers_, alignof(Parts))); }
  Lock& find_lock();

  int32_t numbers_[8];

  static_assert(sizeof(Parts) + alignof(Parts) - alignof(int32_t) <= sizeof(numbers_));
};

}  // namespace bobbin::kmp
