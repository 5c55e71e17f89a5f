// SPDX-License-Identifier: Apache-2.0
//
// A program may have a function `read` of its own: the name is POSIX's, and ISO C leaves it to
// programs. By ELF's rules that function would then be called by this library, too. So before the
// library calls anything, each of its imports is bound to the object whose version it names: the C
// library. This is done in place, in the global offset table, so that calls cost what they cost
// otherwise; and where a program takes no name, only addresses are compared.
//
// A program's functions are called all the same
// - for malloc, calloc, realloc and free, because a program that has these replaces the allocator:
//   what the runtime allocates may be freed by the program and the reverse; and for aligned_alloc
//   and posix_memalign where it has a free of its own, which must take what they return;
// - for pthread_create, because tools learn so of a process's threads, and allocators of the first;
// - for indirect functions (memcpy, strlen, ...): this library imports only those of ISO C, and ISO
// C
//   reserves their names;
// - in a program built with a sanitizer, which must see what happens to memory and files.
#pragma once

#include <link.h>

namespace bobbin {

// Does nothing after the first call, which is made when the library is loaded.
void bind_own_imports();

// The same for a library that the runtime has opened for itself. The caller holds the loader's
// lock.
void bind_imports_of(const link_map& library);

}  // namespace bobbin
