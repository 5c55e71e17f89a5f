// SPDX-License-Identifier: Apache-2.0
#include "platform/clock.h"

#include <cstdlib>

// For tests whose code could ask for the time, but does not. Others define their own.
namespace bobbin {

[[gnu::weak]] uint64_t ticks_per_us() { std::abort(); }
[[gnu::weak]] uint64_t clock_ns_without_kernel(clockid_t) { std::abort(); }

}  // namespace bobbin
