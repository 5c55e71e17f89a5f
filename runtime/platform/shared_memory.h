// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/atomic.h"

// Words that several processes wait at, in memory that they share. A process knows of its own
// waiters only, so there the kernel has to.
namespace bobbin {

#if defined(BOBBIN_MODEL)

inline bool in_shared_memory(const void*) { return false; }
inline void wait_across_processes(Atomic<uint32_t>&, uint32_t) {}
inline void wake_across_processes(Atomic<uint32_t>&) {}

#else

// May other processes have the same memory? Asks the kernel, and remembers the answer for some
// milliseconds: something else may be mapped there some day. Where the kernel does not tell, yes.
bool in_shared_memory(const void* address);

// The calling kernel thread sleeps while the word holds `value`, but for a millisecond at most:
// what else it could do does not wake it.
void wait_across_processes(Atomic<uint32_t>& word, uint32_t value);
void wake_across_processes(Atomic<uint32_t>& word);

#endif

}  // namespace bobbin
