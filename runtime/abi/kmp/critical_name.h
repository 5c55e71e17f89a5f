// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "construct/lock.h"

namespace bobbin::kmp {

// kmp_critical_name: what the compiler gives each critical construct's name, and each place where
// reductions are combined. 32 bytes, zero at first.
struct CriticalName {
  Lock lock;
  uint32_t unused[7];
};
static_assert(sizeof(CriticalName) == 32);

}  // namespace bobbin::kmp
