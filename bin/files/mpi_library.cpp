// SPDX-License-Identifier: Apache-2.0
#include "files/mpi_library.h"

#include <algorithm>

namespace bobbin::cli {
namespace {

template <class Fits>
const MpiLibrary* find_mpi(Fits&& fits) {
  const auto* found = std::find_if(kMpiLibraries.begin(), kMpiLibraries.end(), fits);
  return found != kMpiLibraries.end() ? found : nullptr;
}

}  // namespace

const MpiLibrary* mpi_library_in(const LoadClosure& closure) {
  for (const auto& object : closure.objects) {
    const MpiLibrary* library = find_mpi([&](const MpiLibrary& candidate) {
      return object->file->soname() == candidate.soname || object->requested_as == candidate.soname;
    });
    if (library != nullptr) return library;
  }
  return nullptr;
}

const MpiLibrary* mpi_library_called(std::string_view mpi) {
  return find_mpi([&](const MpiLibrary& candidate) { return candidate.mpi == mpi; });
}

}  // namespace bobbin::cli
