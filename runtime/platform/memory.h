// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>

#include "platform/atomic.h"

// Memory of the runtime's own objects. Every function here may return nullptr; no caller may assume
// success. An object is type-stable (pooled and never freed) where a comment at its type says so.
namespace bobbin {

// Rounds up to a multiple of `alignment`, a power of two.
constexpr size_t round_up(size_t value, size_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}
inline void* align_up(void* address, size_t alignment) {
  return reinterpret_cast<void*>(round_up(reinterpret_cast<uintptr_t>(address), alignment));
}

// Memory from the C library, aligned to a cache line.
inline void* allocate_lines(size_t bytes) {
  return aligned_alloc(kCacheLine, round_up(bytes, kCacheLine));
}

// Prefetches a line that another processor wrote last and this one will write. On x86-64 the
// instruction is written out. The compiler's builtin requests a shared line where it may not assume
// PREFETCHW, and the store would then need a second request to the other processor. Processors
// without that instruction ignore it.
inline void prefetch_to_write(const void* address) {
#if defined(__x86_64__)
  __asm__ __volatile__("prefetchw (%0)" : : "r"(address));
#else
  __builtin_prefetch(address, 1);
#endif
}

template <class T, class... Args>
T* make(Args&&... args) {
  void* memory = alignof(T) > alignof(max_align_t) ? allocate_lines(sizeof(T)) : malloc(sizeof(T));
  return memory ? new (memory) T(std::forward<Args>(args)...) : nullptr;
}

// Memory for type-stable objects, which are never freed. It comes from the C library's heap or,
// when that is exhausted, from pages of its own.
inline void* allocate_lasting(size_t bytes) {
  void* memory = allocate_lines(bytes);
  if (memory != nullptr) return memory;
  memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory != MAP_FAILED ? memory : nullptr;
}

template <class T>
T* make_lasting() {
  void* memory = allocate_lasting(sizeof(T));
  return memory ? new (memory) T : nullptr;
}

template <class T>
void destroy(T* object) {
  if (object == nullptr) return;
  object->~T();
  free(object);
}

}  // namespace bobbin
