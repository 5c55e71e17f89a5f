// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>
#include <limits.h>

#include <cstddef>
#include <cstdint>

// The C library describes its private structures to debuggers by symbols for libthread_db. A size
// is one word, a field is {bits, elements, offset}.
namespace bobbin {

inline const uint32_t* thread_db_symbol(const char* name) {
  return static_cast<const uint32_t*>(dlsym(RTLD_DEFAULT, name));
}

// The field's offset in its structure; 0: it is not described or has another size.
inline uint32_t thread_db_offset(const char* name, size_t size) {
  const uint32_t* field = thread_db_symbol(name);
  return field != nullptr && field[0] == size * CHAR_BIT ? field[2] : 0;
}

}  // namespace bobbin
