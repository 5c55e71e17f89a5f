// SPDX-License-Identifier: Apache-2.0
// threadprivate variables of programs whose compiler does not use thread-local storage for them
// (flang; clang with -fnoopenmp-use-tls): the program asks for its thread's copy of a variable by
// the address of the original.
//
// Each variable has a table of copies, indexed by thread number. The program keeps a pointer to the
// table next to the variable. The pointer is zero at first, and the program passes its address.
// When a table is too small, a larger one replaces it. The old tables stay, because threads may be
// reading them. A reader that does not find its copy in an old table looks again under the lock.
// Slots and tables are published with release and read with acquire. A slot is written only under
// the lock. Only the slot's own thread reads it without the lock.
#pragma once

#include <cstddef>

#include "team/model/thread.h"

namespace bobbin {

// How copies are made and destroyed. If all are null, a copy is bitwise, with the value that the
// original had at its first use.
struct ThreadprivateMaker {
  void* (*construct)(void*) = nullptr;
  void* (*copy)(void* to, void* from) = nullptr;
  void (*destroy)(void*) = nullptr;
  // For arrays of `length` elements, these are used instead.
  void* (*construct_array)(void*, size_t) = nullptr;
  void (*destroy_array)(void*, size_t) = nullptr;
  size_t length = 0;
};

void register_threadprivate(void* original, const ThreadprivateMaker& maker);

// table: the address of the program's pointer, or null if it has none. The first root that asks
// uses the original.
void* threadprivate(Thread& thread, void* original, size_t size, void*** table);

// Once, at start-up.
void init_threadprivate();

}  // namespace bobbin
