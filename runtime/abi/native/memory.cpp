// SPDX-License-Identifier: Apache-2.0
// Variables in memory of an allocator.
#include <algorithm>
#include <cstring>

#include "abi/export.h"
#include "bobbin/native.h"
#include "construct/memory/allocator.h"
#include "platform/diagnostics.h"
#include "task/model/icvs.h"

using namespace bobbin;

BOBBIN_NATIVE_ENTRY void* bobbin_omp_allocate(unsigned long size, unsigned long alignment,
                                              unsigned long minimum, unsigned long allocator) {
  const AllocatorHandle handle =
      allocator != kNullAllocator ? allocator : current_icvs().default_allocator;
  void* memory = allocate(std::max(alignment, minimum), size, handle);
  if (memory == nullptr && size != 0) fatal("out of memory allocating %lu bytes", size);
  return memory;
}

BOBBIN_NATIVE_ENTRY void bobbin_omp_deallocate(const void* pointer) {
  void* memory;
  std::memcpy(&memory, pointer, sizeof memory);
  deallocate(memory);
}
