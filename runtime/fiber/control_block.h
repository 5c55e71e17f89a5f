// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "fiber/context.h"

// What the ABI says of the memory at a thread pointer. The rest of a thread control block is the C
// library's private struct pthread, see tls_block.cpp.
namespace bobbin {

#if defined(__x86_64__)

// TLS variant II: the static TLS area lies below. The compiler reads the guards.
struct ControlBlock {
  void* self;
  void* vector;  // the dynamic thread vector, the loader's
  void* thread;
  int multiple_threads;
  int unused;
  uintptr_t sysinfo;
  uintptr_t stack_guard;
  uintptr_t pointer_guard;

  // As in the thread of that one.
  void fill(const ControlBlock& mine) {
    self = this;
    thread = this;
    multiple_threads = 1;  // else the C library may leave out lock prefixes
    sysinfo = mine.sysinfo;
    stack_guard = mine.stack_guard;
    pointer_guard = mine.pointer_guard;
  }
};

// From the thread pointer to what the loader says has this place in the static area; 0: none.
inline ptrdiff_t from_thread_pointer(size_t tls_offset) {
  return -static_cast<ptrdiff_t>(tls_offset);
}

#else

// TLS variant I: the static TLS area lies above, struct pthread below. The guards are variables of
// the loader's.
struct ControlBlock {
  void* vector;  // the dynamic thread vector, the loader's
  void* unused;

  void fill(const ControlBlock&) {}
};

inline ptrdiff_t from_thread_pointer(size_t tls_offset) {
  return static_cast<ptrdiff_t>(tls_offset);
}

#endif

}  // namespace bobbin
