// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bobbin::cli {

enum class CompilerKind : unsigned char { Unknown, Gnu, Clang, Flang };

struct Compiler {
  std::filesystem::path path;
  CompilerKind kind = CompilerKind::Unknown;
  std::string version;  // all that it says about itself
};

Compiler look_at_compiler(const std::filesystem::path& path);

// Runs the command. `said`: what it prints on stdout and stderr.
struct Outcome {
  bool failed = true;
  std::string said;
};
Outcome run_compiler(const std::vector<std::string>& words);

}  // namespace bobbin::cli
