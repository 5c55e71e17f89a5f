// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>
#include <limits.h>

#include <cstddef>
#include <cstdint>

// What the C library tells debuggers of its private structures, by symbols for libthread_db: a
// size is one word, a field {bits, elements, offset}.
namespace bobbin {

inline const uint32_t* thread_db_symbol(const char* name) {
  return static_cast<const uint32_t*>(dlsym(RTLD_DEFAULT, name));
}

// The field's offset in its structure; 0: it is not described, or has another size.
inline uint32_t thread_db_offset(const char* name, size_t size) {
  const uint32_t* field = thread_db_symbol(name);
  return field != nullptr && field[0] == size * CHAR_BIT ? field[2] : 0;
}

}  // namespace bobbin
