// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace bobbin::cli {

// The file that execvp would start for `name`: the name itself if it has a slash, otherwise the
// first executable of that name in PATH.
struct ProgramLookup {
  std::filesystem::path path;
  std::string problem;  // empty when found
  bool exists = false;  // found, though maybe not executable
};
ProgramLookup find_program(const std::string& name);

// What the kernel starts for a file: a script's interpreter, that one's interpreter if it is a
// script, too, and otherwise the file itself.
std::filesystem::path started_program(const std::filesystem::path& path);

// Why ld.so ignores LD_PRELOAD in a process that gains privileges; empty when it does not gain any.
std::string privilege_obstacle(const std::filesystem::path& path);

// Why a script cannot be started; empty if it can be started, or if the file is no script.
std::string script_obstacle(const std::filesystem::path& path);

// What `run` must know before it preloads a library into a program, or into the interpreter if the
// program is a script.
struct Preloading {
  std::string obstacle;  // why the library would have no effect; empty if it would have
  // The program's library that has to come first (AddressSanitizer's, which otherwise ends the
  // program); empty: any library may come first.
  std::string first_library;
};
Preloading look_into_preloading(const std::filesystem::path& path);

}  // namespace bobbin::cli
