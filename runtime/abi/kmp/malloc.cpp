// SPDX-License-Identifier: Apache-2.0
// kmp_malloc and its family: the C library's heap.
#include <cstddef>
#include <cstdlib>

#include "abi/export.h"

BOBBIN_ENTRY void* kmp_malloc(size_t size) { return malloc(size); }
BOBBIN_ALIAS(kmp_malloc) void* kmpc_malloc(size_t);
BOBBIN_ENTRY void* kmp_malloc_(const size_t* size) { return malloc(*size); }

BOBBIN_ENTRY void* kmp_aligned_malloc(size_t size, size_t alignment) {
  void* memory = nullptr;
  if (alignment < sizeof(void*)) alignment = sizeof(void*);
  return posix_memalign(&memory, alignment, size) == 0 ? memory : nullptr;
}
BOBBIN_ALIAS(kmp_aligned_malloc) void* kmpc_aligned_malloc(size_t, size_t);
BOBBIN_ENTRY void* kmp_aligned_malloc_(const size_t* size, const size_t* alignment) {
  return kmp_aligned_malloc(*size, *alignment);
}

BOBBIN_ENTRY void* kmp_calloc(size_t count, size_t size) { return calloc(count, size); }
BOBBIN_ALIAS(kmp_calloc) void* kmpc_calloc(size_t, size_t);
BOBBIN_ENTRY void* kmp_calloc_(const size_t* count, const size_t* size) {
  return calloc(*count, *size);
}

BOBBIN_ENTRY void* kmp_realloc(void* memory, size_t size) { return realloc(memory, size); }
BOBBIN_ALIAS(kmp_realloc) void* kmpc_realloc(void*, size_t);
BOBBIN_ENTRY void* kmp_realloc_(void** memory, const size_t* size) {
  return realloc(*memory, *size);
}

BOBBIN_ENTRY void kmp_free(void* memory) { free(memory); }
BOBBIN_ALIAS(kmp_free) void kmpc_free(void*);
BOBBIN_ENTRY void kmp_free_(void** memory) { free(*memory); }
