// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace bobbin::cli {

// The configuration of ld.so in a root, and its cache, which ldconfig makes of it.
class LinkerCache {
 public:
  explicit LinkerCache(std::filesystem::path root) : root_(std::move(root)) {}

  // Why it cannot be configured by a file of ours; empty if it can.
  std::string obstacle() const;

  // Makes the cache anew. False: ldconfig has failed, and said why.
  bool update() const;

  // The file that ld.so takes for a name; empty if there is none.
  std::filesystem::path find(const std::string& name) const;

  // `path`, which programs in the root see, as this process sees it.
  std::filesystem::path outside(const std::filesystem::path& path) const {
    return root_ / path.relative_path();
  }

  // Of two folders with one library, ld.so takes the first, in the order of these files' names.
  std::filesystem::path our_file() const { return outside("/etc/ld.so.conf.d/00-bobbin.conf"); }

 private:
  std::filesystem::path root_;
};

}  // namespace bobbin::cli
