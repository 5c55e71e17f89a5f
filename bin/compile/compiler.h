// SPDX-License-Identifier: Apache-2.0
// Which compiler a command is.
#pragma once

#include <filesystem>
#include <string>

namespace bobbin::cli {

enum class CompilerKind : unsigned char { Unknown, Gnu, Clang, Flang };

struct Compiler {
  std::filesystem::path path;
  CompilerKind kind = CompilerKind::Unknown;
  std::string version;  // all that it says about itself
};

Compiler look_at_compiler(const std::filesystem::path& path);

}  // namespace bobbin::cli
