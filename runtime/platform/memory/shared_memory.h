// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/atomic.h"

// Words in shared memory that several processes wait at. A process knows only its own waiters, so
// the kernel has to keep the waiters of such words.
namespace bobbin {

#if defined(BOBBIN_MODEL)

inline bool in_shared_memory(const void*) { return false; }
inline void wait_across_processes(Atomic<uint32_t>&, uint32_t) {}
inline void wake_across_processes(Atomic<uint32_t>&) {}

#else

// May other processes have the same memory? Asks the kernel, and remembers the answer for some
// milliseconds only, because something else may be mapped there later. Returns true if the kernel
// does not tell.
bool in_shared_memory(const void* address);

// The calling kernel thread sleeps while the word holds `value`, but for a millisecond at most,
// because other work for it does not wake it.
void wait_across_processes(Atomic<uint32_t>& word, uint32_t value);
void wake_across_processes(Atomic<uint32_t>& word);

#endif

}  // namespace bobbin
