// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// The address at which the loaded file lies that holds this address, as in Dl_info::dli_fbase;
// null: there is none. dladdr() also looks for the nearest symbol, one by one, which takes 80,000
// instructions in the C library. Asks the loader.
const void* base_of_file_with(const void* address);

// The same of the definition to which the loader binds this name; null: there is none.
const void* base_of_file_defining(const char* name);

}  // namespace bobbin
