// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "files/library_search.h"

namespace bobbin::cli {

// An MPI library, by the name under which programs ask for it, and the layer that serves it.
struct MpiLibrary {
  std::string_view soname;
  std::string_view mpi;    // as in --mpi=
  std::string_view layer;  // beside the name libraries
};
inline constexpr std::array<MpiLibrary, 3> kMpiLibraries = {{
    {"libmpich.so.12", "mpich", "libbobbin-mpi-mpich.so"},  // as Debian and Ubuntu package it
    {"libmpi.so.12", "mpich", "libbobbin-mpi-mpich.so"},    // MPICH, and those of the same ABI
    {"libmpi.so.40", "openmpi", "libbobbin-mpi-openmpi.so"},
}};

// nullptr: the closure has none.
const MpiLibrary* mpi_library_in(const LoadClosure& closure);
const MpiLibrary* mpi_library_called(std::string_view mpi);

}  // namespace bobbin::cli
