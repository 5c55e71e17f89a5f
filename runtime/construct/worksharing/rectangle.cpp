// SPDX-License-Identifier: Apache-2.0
#include "construct/worksharing/rectangle.h"

#include <cstring>

namespace bobbin {

bool copy_rectangle(const RectangleCopy& copy) {
  if (copy.dimensions < 1) return false;
  // The innermost dimension is contiguous; a slice of an outer one is `*_slice` bytes long.
  std::size_t to_slice = copy.element_size, from_slice = copy.element_size;
  for (int i = 1; i < copy.dimensions; ++i) {
    if (__builtin_mul_overflow(to_slice, copy.to_dimensions[i], &to_slice) ||
        __builtin_mul_overflow(from_slice, copy.from_dimensions[i], &from_slice)) {
      return false;
    }
  }
  std::size_t to_skip, from_skip;
  if (__builtin_mul_overflow(to_slice, copy.to_offsets[0], &to_skip) ||
      __builtin_mul_overflow(from_slice, copy.from_offsets[0], &from_skip)) {
    return false;
  }
  char* to = static_cast<char*>(copy.to) + to_skip;
  const char* from = static_cast<const char*>(copy.from) + from_skip;
  if (copy.dimensions == 1) {
    std::size_t length;
    if (__builtin_mul_overflow(copy.element_size, copy.volume[0], &length)) return false;
    if (length != 0) std::memcpy(to, from, length);
    return true;
  }
  RectangleCopy inner{nullptr,
                      nullptr,
                      copy.element_size,
                      copy.dimensions - 1,
                      copy.volume + 1,
                      copy.to_offsets + 1,
                      copy.from_offsets + 1,
                      copy.to_dimensions + 1,
                      copy.from_dimensions + 1};
  for (std::size_t i = 0; i < copy.volume[0]; ++i) {
    inner.to = to;
    inner.from = from;
    if (!copy_rectangle(inner)) return false;
    to += to_slice;
    from += from_slice;
  }
  return true;
}

}  // namespace bobbin
