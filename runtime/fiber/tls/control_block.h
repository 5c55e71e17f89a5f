// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "fiber/context/context.h"

// The part of the memory at a thread pointer that the ABI describes. The rest of a thread control
// block is the C library's private struct pthread, see tls_block.cpp.
namespace bobbin {

// The part of struct pthread that the loader also uses.
struct ThreadHeader {
  int multiple_threads;  // 0: there is no other thread, so even lock prefixes may be left out
  int scope_in_use;      // a symbol lookup is in progress; a thread that frees data it reads waits
};

#if defined(__x86_64__)

// TLS variant II: the static TLS area lies below. The compiler's code reads the guards.
struct ControlBlock {
  void* self;
  void* vector;  // the dynamic thread vector, the loader's
  void* thread;
  ThreadHeader header;
  uintptr_t sysinfo;
  uintptr_t stack_guard;
  uintptr_t pointer_guard;

  // Copies the values of the thread that `mine` belongs to.
  void fill(const ControlBlock& mine) {
    self = this;
    thread = this;
    sysinfo = mine.sysinfo;
    stack_guard = mine.stack_guard;
    pointer_guard = mine.pointer_guard;
  }
};

inline ThreadHeader& header_of(void* pthread) {
  return static_cast<ControlBlock*>(pthread)->header;
}

// The offset from the thread pointer to the object with this offset in the loader's data; 0: none.
inline ptrdiff_t from_thread_pointer(size_t tls_offset) {
  return -static_cast<ptrdiff_t>(tls_offset);
}

#else

// TLS variant I: the static TLS area lies above, struct pthread below. The guards are variables of
// the loader.
struct ControlBlock {
  void* vector;  // the dynamic thread vector, the loader's
  void* unused;

  void fill(const ControlBlock&) {}
};

inline ThreadHeader& header_of(void* pthread) { return *static_cast<ThreadHeader*>(pthread); }

inline ptrdiff_t from_thread_pointer(size_t tls_offset) {
  return static_cast<ptrdiff_t>(tls_offset);
}

#endif

}  // namespace bobbin
