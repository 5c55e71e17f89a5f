// SPDX-License-Identifier: Apache-2.0
//
// gfortran's calling conventions: arguments by reference, logicals as integers, the lengths of
// character arguments by value at the end. NAME_ has default integers, NAME_8_ those of
// -fdefault-integer-8.
#pragma once

#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace bobbin {

// The int nearest to an integer(8), for routines that take an int.
inline int nearest_int(std::int64_t value) {
  return value > INT_MAX ? INT_MAX : value < INT_MIN ? INT_MIN : static_cast<int>(value);
}

// For a routine whose result is a pointer to characters of deferred length.
inline void return_string(const char* text, const char** result, std::size_t* length) {
  *result = text;
  *length = text != nullptr ? std::strlen(text) : 0;
}

}  // namespace bobbin
