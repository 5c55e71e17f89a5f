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

// Why ld.so ignores LD_PRELOAD in a process that gains privileges; empty when it does not gain any.
std::string privilege_obstacle(const std::filesystem::path& path);

// Why a script cannot be started; empty when it can, and for what is no script.
std::string script_obstacle(const std::filesystem::path& path);

// What is to be known before a library is preloaded into a program, a script's interpreter if it is
// one.
struct Preloading {
  std::string obstacle;  // why the library would not come to work; empty when it would
  // The program's library that has to be the first of all, AddressSanitizer's, which ends the
  // program otherwise; empty: any may be.
  std::string first_library;
};
Preloading look_into_preloading(const std::filesystem::path& path);

}  // namespace bobbin::cli
