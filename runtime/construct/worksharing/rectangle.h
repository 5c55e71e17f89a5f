// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace bobbin {

// A box of elements inside an array with several dimensions, the outermost first.
struct RectangleCopy {
  void* to;
  const void* from;
  std::size_t element_size;
  int dimensions;
  const std::size_t* volume;
  const std::size_t* to_offsets;
  const std::size_t* from_offsets;
  const std::size_t* to_dimensions;
  const std::size_t* from_dimensions;
};

// False when a dimension count is impossible or a size does not fit an address.
bool copy_rectangle(const RectangleCopy& copy);

}  // namespace bobbin
