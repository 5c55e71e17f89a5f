// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>

#include "platform/atomic.h"

// Memory of the runtime's own objects. Every function here may return nullptr; no caller may assume
// success. The objects are type-stable where a comment at the type says so: pooled, never given
// back.
namespace bobbin {

// To the next multiple of `alignment`, a power of two.
constexpr size_t round_up(size_t value, size_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}
inline void* align_up(void* address, size_t alignment) {
  return reinterpret_cast<void*>(round_up(reinterpret_cast<uintptr_t>(address), alignment));
}

// Cache-line aligned, from the C library.
inline void* allocate_lines(size_t bytes) {
  return aligned_alloc(kCacheLine, round_up(bytes, kCacheLine));
}

// A line that another processor wrote last and this one will write. On x86-64 written out, for the
// compiler's builtin asks for a shared line where it may not assume PREFETCHW, and the store would
// ask the other processor a second time. Processors without that instruction ignore it.
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

// For type-stable objects, which are never given back: the C library's heap or, when that has no
// more, pages of their own.
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
