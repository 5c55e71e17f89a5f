// SPDX-License-Identifier: Apache-2.0
// Atomic operations on variables of any size. LLVM's programs get them from libatomic. Programs of
// Intel, MKL among them, get them from their OpenMP library. A program that was linked with
// libatomic stays with it, because its references name the version.
#include <cstddef>

#include "abi/export.h"
#include "construct/locks/atomic.h"

// C++ uses the plain names for its own functions. Every memory order is served by the strongest.
BOBBIN_ENTRY void sized_load(size_t size, void* variable, void* value, int) asm("__atomic_load");
BOBBIN_ENTRY void sized_store(size_t size, void* variable, const void* value,
                              int) asm("__atomic_store");
BOBBIN_ENTRY bool sized_compare_exchange(size_t size, void* variable, void* expected,
                                         const void* desired, int,
                                         int) asm("__atomic_compare_exchange");

BOBBIN_ENTRY void sized_load(size_t size, void* variable, void* value, int) {
  bobbin::atomic_read(size, variable, value);
}
BOBBIN_ALIAS(__atomic_load) void __kmpc___atomic_load_n(size_t, void*, void*, int);

BOBBIN_ENTRY void sized_store(size_t size, void* variable, const void* value, int) {
  bobbin::atomic_write(size, variable, value);
}
BOBBIN_ALIAS(__atomic_store) void __kmpc___atomic_store_n(size_t, void*, const void*, int);

BOBBIN_ENTRY bool sized_compare_exchange(size_t size, void* variable, void* expected,
                                         const void* desired, int, int) {
  return bobbin::atomic_compare(size, variable, expected, desired);
}
BOBBIN_ENTRY bool __kmpc___atomic_compare_exchange_n(size_t size, void* variable, void* expected,
                                                     const void* desired, char, int) {
  return bobbin::atomic_compare(size, variable, expected, desired);
}
