// SPDX-License-Identifier: Apache-2.0
// A task's own copies of the items of its in_reduction clause.
#pragma once

#include "construct/reductions/reduction.h"

namespace bobbin {

// For each of `count` items: replaces the address of the original, or of some thread's copy, by
// that of this thread's copy. For the first `with_original` items it also stores the addresses of
// the originals behind all addresses.
void remap_reductions(Thread& thread, size_t count, size_t with_original, void** items);

// For tasks of LLVM. Returns this thread's copy of the item at `address`, which may be that of an
// original, of a copy or of a part of a copy. The innermost registration with the item counts,
// searched from `data` on.
void* own_copy(Thread& thread, const uintptr_t* data, void* address);

}  // namespace bobbin
