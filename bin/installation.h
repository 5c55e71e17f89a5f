// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

namespace bobbin::cli {

// Where this copy of Bobbin lies. Found relative to the running executable, so a build tree and an
// installed tree that was moved both work.
struct Installation {
  std::filesystem::path library;   // libbobbin.so.1
  std::filesystem::path preload;   // the name library that `run` preloads
  std::filesystem::path data;      // the lab and its Python environment, where they are installed
  std::filesystem::path programs;  // the benchmark programs, likewise
};

// The SONAME of `preload`. A program's own DT_NEEDED of this name is satisfied by it.
inline constexpr const char* kDisplacedName = "libgomp.so.1";

// Says on stderr what is missing when it returns nothing.
std::optional<Installation> find_installation();

}  // namespace bobbin::cli
