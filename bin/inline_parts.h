// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "installation.h"

namespace bobbin::cli {

enum class CompilerKind : unsigned char { Unknown, Gnu, Clang, Flang };

struct Compiler {
  std::filesystem::path path;
  CompilerKind kind = CompilerKind::Unknown;
  std::string version;  // all that it says about itself
};

Compiler look_at_compiler(const std::filesystem::path& path);

// What a compiler makes of include/bobbin/inline, as docs/notes/inlined-tasks.md describes it.
struct InlineParts {
  std::vector<std::string> to_compile;  // options
  std::vector<std::string> to_link;     // the same, with files
  std::string problem;                  // why there are none; empty: there are
};

// From the cache, or made now. Several processes may do so at the same time.
InlineParts find_inline_parts(const Installation& installation, const Compiler& compiler);

}  // namespace bobbin::cli
