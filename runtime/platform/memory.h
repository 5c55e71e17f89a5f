// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>

#include "platform/atomic.h"

// Memory of the runtime's own objects. Every function here may return nullptr; no caller may assume
// success. The objects are type-stable where a comment at the type says so: pooled, never given back.
namespace bobbin {

// Cache-line aligned, from the C library.
inline void* allocate_lines(size_t bytes) {
  size_t rounded = (bytes + kCacheLine - 1) & ~(kCacheLine - 1);
  return aligned_alloc(kCacheLine, rounded);
}

template <class T, class... Args>
T* make(Args&&... args) {
  void* memory = alignof(T) > alignof(max_align_t) ? allocate_lines(sizeof(T)) : malloc(sizeof(T));
  return memory ? new (memory) T(std::forward<Args>(args)...) : nullptr;
}

template <class T>
void destroy(T* object) {
  if (object == nullptr) return;
  object->~T();
  free(object);
}

}  // namespace bobbin
