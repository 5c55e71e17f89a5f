// SPDX-License-Identifier: Apache-2.0
// The lines at which functions begin. A line table may have several rows for the address of a
// function: the first one has the line of its declaration, and the last one, which addr2line and
// its like take, the line of the first statement.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

namespace bobbin::insight {

// By the addresses of the functions, in the file. Those that are not known are missing.
std::map<uint64_t, unsigned> first_lines(const std::filesystem::path& path,
                                         const std::vector<uint64_t>& functions);

}  // namespace bobbin::insight
