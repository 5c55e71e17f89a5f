// SPDX-License-Identifier: Apache-2.0
//
// Which OpenMP libraries a run of a program loads, by ld.so's own record of it (LD_DEBUG in
// ld.so(8)).
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "files/openmp_library.h"

namespace bobbin::cli {

// With these variables the processes of the run leave their records in the folder.
std::vector<std::pair<std::string, std::string>> variables_to_record_loading(
    const std::filesystem::path& folder);

std::map<std::filesystem::path, Vendor> loaded_runtimes(const std::filesystem::path& folder);

}  // namespace bobbin::cli
