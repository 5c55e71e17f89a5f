// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

namespace bobbin::insight {

// Objects of one type, in blocks that are kept until the process ends.
template <class T>
class Pool {
 public:
  // nullptr: no memory.
  T* make() {
    if (free_ == nullptr && !refill()) return nullptr;
    Cell* cell = free_;
    free_ = cell->next;
    return new (cell) T;
  }
  void free(T* object) {
    object->~T();
    free_ = new (static_cast<void*>(object)) Cell{free_};
  }

 private:
  struct Cell {
    Cell* next;
  };
  static_assert(sizeof(T) >= sizeof(Cell) && alignof(T) <= alignof(std::max_align_t));
  static constexpr size_t kBlock = 256;

  bool refill() {
    auto* block = static_cast<T*>(std::malloc(kBlock * sizeof(T)));
    if (block == nullptr) return false;
    for (size_t i = kBlock; i-- > 0;) free_ = new (static_cast<void*>(block + i)) Cell{free_};
    return true;
  }

  Cell* free_ = nullptr;
};

}  // namespace bobbin::insight
