// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin::mpi {

// The function of this name in the process's MPI library, which is one that the layer was built
// for. If it is not there, the process ends with a message.
void* function_of_library(const char* name);

// The same for an object, of which the program may have a copy that the library uses, too.
void* object_of_library(const char* name);

}  // namespace bobbin::mpi
