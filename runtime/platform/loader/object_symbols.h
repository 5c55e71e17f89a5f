// SPDX-License-Identifier: Apache-2.0
//
// Names of a program's data objects, from the symbol tables of the loaded files. This includes
// names that the loader does not know, as long as the file is not stripped. Slow: reads files.
#pragma once

#include <cstddef>

namespace bobbin {

// The name of the object at `address`, cut to fit. False: not known.
bool object_name(const void* address, char* name, std::size_t size);

// The object of that name: the one that the loader binds to, else one in the file that holds
// `near`, else one in the program's file. Null: not known.
void* find_object(const char* name, const void* near);

}  // namespace bobbin
