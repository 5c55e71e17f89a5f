// SPDX-License-Identifier: Apache-2.0
// A task's own copies of what it takes part in the reduction of (clause in_reduction).
#pragma once

#include "construct/reduction.h"

namespace bobbin {

// For each of `count` items: replaces the address of the original, or of some thread's copy, by
// that of this thread's copy. The first `with_original` addresses of originals are stored after
// them.
void remap_reductions(Thread& thread, size_t count, size_t with_original, void** items);

// For tasks of LLVM: the copy that belongs to this thread, for the address of an original or of a
// copy or its part, by the innermost registration from `data` on that has it.
void* own_copy(Thread& thread, const uintptr_t* data, void* address);

}  // namespace bobbin
