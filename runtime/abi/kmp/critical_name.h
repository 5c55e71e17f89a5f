// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "construct/locks/lock.h"
#include "platform/memory.h"

namespace bobbin::kmp {

// kmp_critical_name: the object that the compiler makes for each name of a critical construct. It
// is eight numbers, zero at first, and aligned as such: today's LLVM compilers align it like a
// pointer, but nothing makes them do so.
//
// If GCC's code has the same section, both must take the same lock. For LLVM's compilers, that lock
// is in another object for the same name, found when the section is first met. Intel's classic
// compilers name their object as GCC does, so the linker merges both: the object begins with the
// lock.
class CriticalName {
 public:
  // The first threads write `lock_of_section`, always with the same value. The lock that it points
  // to lives as long as the program.
  Lock& section_lock() {
    Lock* lock = parts().lock_of_section.load(relaxed);
    return lock != nullptr ? *lock : find_lock();
  }

 private:
  struct Parts {
    Lock own;
    Atomic<Lock*> lock_of_section;
  };

  // Programs find the lock, too: bobbin/inline/critical.h.
  static_assert(offsetof(Parts, lock_of_section) == 8 && alignof(Parts) == 8);

  Parts& parts() { return *static_cast<Parts*>(align_up(numbers_, alignof(Parts))); }
  Lock& find_lock();

  int32_t numbers_[8];

  static_assert(sizeof(Parts) + alignof(Parts) - alignof(int32_t) <= sizeof(numbers_));
};

}  // namespace bobbin::kmp
