// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string_view>

namespace bobbin::cli {

// Where this copy of Bobbin lies. Found relative to the running executable, so a build tree and an
// installed tree that was moved both work.
struct Installation {
  std::filesystem::path command;   // this executable
  std::filesystem::path library;   // libbobbin.so.1
  std::filesystem::path names;     // the directory of the name libraries
  std::filesystem::path data;      // the lab and its Python environment, where they are installed
  std::filesystem::path programs;  // the benchmark programs, likewise
  std::filesystem::path inline_sources;  // what `cc` compiles into programs
  std::filesystem::path native_header;   // what translated programs include
  std::filesystem::path translator;      // bobbin-translate
  std::filesystem::path posix_library;   // libbobbin-posix.a, which comes with it
};

// The name libraries that `run` preloads. If an object asks for such a name by DT_NEEDED, or by
// dlopen without a path, ld.so takes the library that is loaded under that name already.
struct NameLibrary {
  std::string_view name;
  std::string_view file;
};
inline constexpr std::array<NameLibrary, 4> kNameLibraries = {{
    {"libgomp.so.1", "libgomp.so.1"},       // GCC
    {"libomp.so.5", "bobbin-libomp.so.5"},  // LLVM as Debian and Ubuntu package it
    {"libomp.so", "bobbin-libomp.so"},      // LLVM as its makers build it
    {"libiomp5.so", "bobbin-libiomp5.so"},  // Intel
}};

// If it returns nothing, it has said on stderr what is missing.
std::optional<Installation> find_installation();

}  // namespace bobbin::cli
