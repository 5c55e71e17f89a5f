// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "fiber/context.h"

// What the ABI says of the memory at a thread pointer. The rest of a thread control block is the C
// library's private struct pthread, see tls_block.cpp.
namespace bobbin {

// Of struct pthread what the loader goes by, too.
struct ThreadHeader {
  int multiple_threads;  // 0: there is no other, so lock prefixes, too, may be left out
  int scope_in_use;      // a lookup of symbols is under way; who frees what it reads waits for it
};

#if defined(__x86_64__)

// TLS variant II: the static TLS area lies below. The compiler reads the guards.
struct ControlBlock {
  void* self;
  void* vector;  // the dynamic thread vector, the loader's
  void* thread;
  ThreadHeader header;
  uintptr_t sysinfo;
  uintptr_t stack_guard;
  uintptr_t pointer_guard;

  // As in the thread of that one.
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

inline ThreadHeader& header_of(void* pthread) { return *static_cast<ThreadHeader*>(pthread); }

inline ptrdiff_t from_thread_pointer(size_t tls_offset) {
  return static_cast<ptrdiff_t>(tls_offset);
}

#endif

}  // namespace bobbin
