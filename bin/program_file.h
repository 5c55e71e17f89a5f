// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
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

// The interpreter named by a script's first line; nothing for what is no script.
std::optional<std::filesystem::path> script_interpreter(const std::filesystem::path& path);

// Why a preloaded library would not come to work in this program; empty when it would. Looks at the
// interpreter of a script.
std::string preload_obstacle(const std::filesystem::path& path);

}  // namespace bobbin::cli
