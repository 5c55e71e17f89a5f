// SPDX-License-Identifier: Apache-2.0
// threadprivate variables of programs whose compiler does not use thread-local storage for them
// (flang; clang with -fnoopenmp-use-tls): the program asks for its thread's copy of a variable by
// the address of the original.
//
// Each variable has a table of copies, indexed by thread number. The program keeps a pointer to it
// next to the variable, zero at first, and hands in the address of that pointer. A table is
// replaced by a larger one when it is too small; the old ones stay, for threads may be reading in
// them, and what such a reader does not find it looks for again under the lock. Slots and tables
// are published with release, read with acquire; a slot is written only under the lock, and read
// without only by its own thread.
#pragma once

#include <cstddef>

#include "team/thread.h"

namespace bobbin {

// How copies are made and unmade. All null: bitwise, with the value that the original had when it
// was first asked for.
struct ThreadprivateMaker {
  void* (*construct)(void*) = nullptr;
  void* (*copy)(void* to, void* from) = nullptr;
  void (*destroy)(void*) = nullptr;
  // Instead, for arrays of `length` elements.
  void* (*construct_array)(void*, size_t) = nullptr;
  void (*destroy_array)(void*, size_t) = nullptr;
  size_t length = 0;
};

void register_threadprivate(void* original, const ThreadprivateMaker& maker);

// table: the program's pointer, or null if it has none. The first root that asks uses the original.
void* threadprivate(Thread& thread, void* original, size_t size, void*** table);

// Once, at start-up.
void init_threadprivate();

}  // namespace bobbin
