// SPDX-License-Identifier: Apache-2.0
//
// Memory allocators of OpenMP 5.2, chapter 6. On the host every memory space is the C library's
// heap.
#pragma once

#include <cstddef>
#include <cstdint>

#include "env/allocator_traits.h"

namespace bobbin {

// An omp_allocator_handle_t: 0 (none), a predefined one, or the address of an Allocator.
using AllocatorHandle = std::uintptr_t;

// Once, at start-up. Makes, among others, the allocator that OMP_ALLOCATOR describes.
void init_allocators();

// Returns the null handle if a trait or the memory space is not possible here.
AllocatorHandle make_allocator(MemSpace space, int trait_count, const AllocTraitItem* traits);
void destroy_allocator(AllocatorHandle handle);

// The caller decides before what the null handle means: these functions take it for the default
// one. `alignment` is a power of two (0 counts as 1), used if it exceeds the allocator's. Size 0
// and impossible requests give nullptr. When memory runs out, the fallback trait decides.
void* allocate(std::size_t alignment, std::size_t size, AllocatorHandle handle);
void* allocate_zeroed(std::size_t alignment, std::size_t count, std::size_t size,
                      AllocatorHandle handle);
// The null handle means the allocator that `memory` came from. On failure `memory` stays as it is.
void* reallocate(void* memory, std::size_t size, AllocatorHandle handle);
void deallocate(void* memory);

}  // namespace bobbin
