// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace bobbin::cli {

// The file execvp would start for `name`: the name itself when it has a slash, else the first
// executable of that name in PATH.
struct ProgramLookup {
  std::filesystem::path path;
  std::string problem;  // empty when found
  bool exists = false;  // found, though maybe not executable
};
ProgramLookup find_program(const std::string& name);

// What the kernel starts for a file: a script's interpreter, its interpreter's if that is a script
// again, and else the file itself.
std::filesystem::path started_program(const std::filesystem::path& path);

// Does ld.so ignore LD_PRELOAD in it, because the process gains privileges?
bool gains_privileges(const std::filesystem::path& path);

// The library that the program needs to be the first of all; empty: any may be. AddressSanitizer's
// ends the program otherwise.
std::string first_library(const std::filesystem::path& path);

// Why a script cannot be started; empty when it can, and for what is no script.
std::string script_obstacle(const std::filesystem::path& path);

// Why a preloaded library would not come to work in this program; empty when it would. Looks at the
// interpreter of a script.
std::string preload_obstacle(const std::filesystem::path& path);

}  // namespace bobbin::cli
