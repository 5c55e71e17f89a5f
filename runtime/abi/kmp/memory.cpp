// SPDX-License-Identifier: Apache-2.0
// The allocate construct and clause, and the memory management routines, as compilers call them.
#include <cstddef>

#include "abi/export.h"
#include "abi/omp/omp_api.h"

BOBBIN_ENTRY void* __kmpc_alloc(int, size_t size, uintptr_t allocator) {
  return omp_alloc(size, allocator);
}
BOBBIN_ENTRY void* __kmpc_aligned_alloc(int, size_t alignment, size_t size, uintptr_t allocator) {
  return omp_aligned_alloc(alignment, size, allocator);
}
BOBBIN_ENTRY void* __kmpc_calloc(int, size_t count, size_t size, uintptr_t allocator) {
  return omp_calloc(count, size, allocator);
}
BOBBIN_ENTRY void* __kmpc_realloc(int, void* memory, size_t size, uintptr_t allocator,
                                  uintptr_t free_allocator) {
  return omp_realloc(memory, size, allocator, free_allocator);
}
BOBBIN_ENTRY void __kmpc_free(int, void* memory, uintptr_t allocator) {
  omp_free(memory, allocator);
}

BOBBIN_ENTRY uintptr_t __kmpc_init_allocator(int, uintptr_t space, int count,
                                             const bobbin::AllocTraitItem* traits) {
  return omp_init_allocator(space, count, traits);
}
BOBBIN_ENTRY void __kmpc_destroy_allocator(int, uintptr_t allocator) {
  omp_destroy_allocator(allocator);
}
BOBBIN_ENTRY void __kmpc_set_default_allocator(int, uintptr_t allocator) {
  omp_set_default_allocator(allocator);
}
BOBBIN_ENTRY uintptr_t __kmpc_get_default_allocator(int) { return omp_get_default_allocator(); }
