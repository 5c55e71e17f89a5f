// SPDX-License-Identifier: Apache-2.0
//
// Memory management (OpenMP 5.2, section 18.13), and GCC's entry points for the allocate construct.
#include "abi/omp/omp_api.h"
#include "construct/memory/allocator.h"
#include "construct/memory/marked_blocks.h"
#include "platform/diagnostics.h"
#include "task/model/icvs.h"

using namespace bobbin;

namespace {

AllocatorHandle or_default(std::uintptr_t allocator) {
  return allocator != kNullAllocator ? allocator : current_icvs().default_allocator;
}

// omp_default_mem_space in LLVM's and Intel's headers for OpenMP 6.0, where 0 is no space.
constexpr std::uintptr_t kNewerDefaultSpace = 99;

MemSpace decode_space(std::uintptr_t space) {
  return space == kNewerDefaultSpace ? MemSpace::Default : static_cast<MemSpace>(space);
}

}  // namespace

std::uintptr_t omp_init_allocator(std::uintptr_t space, int count, const AllocTraitItem* traits) {
  return make_allocator(decode_space(space), count, traits);
}

void omp_destroy_allocator(std::uintptr_t allocator) { destroy_allocator(allocator); }

void omp_set_default_allocator(std::uintptr_t allocator) {
  IcvChange()->default_allocator = allocator != kNullAllocator ? allocator : kDefaultMemAlloc;
}

std::uintptr_t omp_get_default_allocator() { return current_icvs().default_allocator; }

void* omp_alloc(std::size_t size, std::uintptr_t allocator) {
  return allocate(1, size, or_default(allocator));
}

void* omp_aligned_alloc(std::size_t alignment, std::size_t size, std::uintptr_t allocator) {
  return allocate(alignment, size, or_default(allocator));
}

void* omp_calloc(std::size_t count, std::size_t size, std::uintptr_t allocator) {
  return allocate_zeroed(1, count, size, or_default(allocator));
}

void* omp_aligned_calloc(std::size_t alignment, std::size_t count, std::size_t size,
                         std::uintptr_t allocator) {
  return allocate_zeroed(alignment, count, size, or_default(allocator));
}

// Without an allocator the memory stays with its old one, and the free_allocator argument has to
// name that one too.
void* omp_realloc(void* memory, std::size_t size, std::uintptr_t allocator, std::uintptr_t) {
  return reallocate(memory, size, memory == nullptr ? or_default(allocator) : allocator);
}

void omp_free(void* memory, std::uintptr_t) { deallocate(memory); }

// The variables of an allocate clause cannot report that there is no memory for them.
BOBBIN_ENTRY void* GOMP_alloc(std::size_t alignment, std::size_t size, std::uintptr_t allocator) {
  void* memory = allocate(alignment, size, or_default(allocator));
  if (memory == nullptr && size != 0) fatal("out of memory allocating %zu bytes", size);
  return memory;
}

BOBBIN_ENTRY void GOMP_free(void* memory, std::uintptr_t) { deallocate(memory); }

// GCC 14, for Fortran's allocatable variables: marks memory that GOMP_alloc returned and GOMP_free
// is to free.
BOBBIN_ENTRY void GOMP_add_alloc(void* memory) {
  if (memory != nullptr && !mark_block(memory)) fatal("out of memory at an allocate construct");
}

// Called by code that is about to free or to resize the memory.
BOBBIN_ENTRY bool GOMP_is_alloc(void* memory) { return unmark_block(memory); }
