// SPDX-License-Identifier: Apache-2.0
//
// Names of a program's data objects, from the symbol tables of the files that are loaded: also
// names that the loader does not know, as long as the file is not stripped. Slow: reads files.
#pragma once

#include <cstddef>

namespace bobbin {

// The name of the object at `address`, without its end if that does not fit. False: not known.
bool object_name(const void* address, char* name, std::size_t size);

// The object of that name: the one that the loader binds to, or else one in the file that holds
// `near`, or in the program's. Null: not known.
void* find_object(const char* name, const void* near);

}  // namespace bobbin
